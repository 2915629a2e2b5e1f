ALTER TABLE "models" ADD COLUMN "speakers" text;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "max_speakers" integer;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "speakers" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "operation" jsonb;