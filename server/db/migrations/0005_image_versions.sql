ALTER TABLE "images" ADD COLUMN "origin" text DEFAULT 'drawn' NOT NULL;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "transparent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "parent_id" text;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "root_id" text;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "area" jsonb;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "example_ids" jsonb;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "whole_key" text;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "image_skills" jsonb;--> statement-breakpoint
CREATE INDEX "images_by_whole_key" ON "images" USING btree ("whole_key") WHERE "images"."whole_key" is not null;--> statement-breakpoint
CREATE INDEX "images_versions" ON "images" USING btree ("user_id","root_id") WHERE "images"."root_id" is not null;