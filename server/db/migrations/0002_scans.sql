CREATE TABLE "scan_pages" (
	"id" text PRIMARY KEY NOT NULL,
	"file_id" text NOT NULL,
	"user_id" text NOT NULL,
	"number" integer NOT NULL,
	"state" text NOT NULL,
	"instance" text,
	"text" text,
	"error" text,
	"charged" bigint DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"crashes" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "scan_page_working" CHECK (("scan_pages"."state" = 'working') = ("scan_pages"."instance" is not null)),
	CONSTRAINT "scan_page_ready" CHECK (("scan_pages"."state" = 'ready') = ("scan_pages"."text" is not null)),
	CONSTRAINT "scan_page_charged" CHECK ("scan_pages"."charged" = 0 or "scan_pages"."state" = 'ready')
);
--> statement-breakpoint
CREATE TABLE "scans" (
	"file_id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"state" text NOT NULL,
	"model_id" text NOT NULL,
	"page_price" bigint NOT NULL,
	"error_code" text,
	"error_message" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"instance" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "scan_working" CHECK (("scans"."state" = 'working') = ("scans"."instance" is not null))
);
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "needs_reading" jsonb;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "page_price" integer;--> statement-breakpoint
ALTER TABLE "scan_pages" ADD CONSTRAINT "scan_pages_file_id_scans_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."scans"("file_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scan_pages" ADD CONSTRAINT "scan_pages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scans" ADD CONSTRAINT "scans_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scans" ADD CONSTRAINT "scans_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "scan_pages_once" ON "scan_pages" USING btree ("file_id","number");--> statement-breakpoint
CREATE INDEX "scan_pages_user_id_index" ON "scan_pages" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "scans_unfinished" ON "scans" USING btree ("updated_at") WHERE "scans"."state" in ('queued', 'working');--> statement-breakpoint
CREATE INDEX "scans_user_id_index" ON "scans" USING btree ("user_id");