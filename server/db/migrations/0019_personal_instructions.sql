ALTER TABLE "settings" ADD COLUMN "personal_enabled" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "personal_about" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "personal_style" text DEFAULT '' NOT NULL;