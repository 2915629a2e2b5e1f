ALTER TABLE "assistants" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "hide_personal" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "hidden_names" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "hidden" jsonb;