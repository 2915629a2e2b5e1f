CREATE TABLE "installation" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "installation_one" CHECK ("installation"."one")
);
--> statement-breakpoint
CREATE TABLE "storage_orphans" (
	"key" text PRIMARY KEY NOT NULL,
	"expected" boolean DEFAULT false NOT NULL,
	"first_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "files_by_storage_key" ON "files" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "images_by_thumb_key" ON "images" USING btree ("thumb_key");--> statement-breakpoint
CREATE INDEX "transcriptions_by_storage_key" ON "transcriptions" USING btree ("storage_key");