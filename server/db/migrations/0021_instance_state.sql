ALTER TABLE "instances" ADD COLUMN "build" text;--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "outages" jsonb;