CREATE TABLE "import_files" (
	"import_id" text NOT NULL,
	"number" integer NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"chunk_bytes" bigint NOT NULL,
	"storage_key" text NOT NULL,
	CONSTRAINT "import_files_import_id_number_pk" PRIMARY KEY("import_id","number"),
	CONSTRAINT "import_files_storageKey_unique" UNIQUE("storage_key"),
	CONSTRAINT "import_received" CHECK ("import_files"."received" >= 0 and "import_files"."received" <= "import_files"."bytes" and "import_files"."chunk_bytes" > 0)
);
--> statement-breakpoint
CREATE TABLE "import_items" (
	"id" text PRIMARY KEY NOT NULL,
	"import_id" text NOT NULL,
	"user_id" text NOT NULL,
	"source" text NOT NULL,
	"source_id" text NOT NULL,
	"title" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"thread_id" text,
	"project_id" text,
	"messages" integer DEFAULT 0 NOT NULL,
	"lost_pictures" integer DEFAULT 0 NOT NULL,
	"lost_files" integer DEFAULT 0 NOT NULL,
	"lost_sounds" integer DEFAULT 0 NOT NULL,
	"former_leaf_id" text
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"state" text NOT NULL,
	"step" text DEFAULT 'check' NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"found" jsonb,
	"result" jsonb,
	"place" jsonb,
	"undo_continued" boolean DEFAULT false NOT NULL,
	"text_bytes" bigint DEFAULT 0 NOT NULL,
	"error" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"crashes" integer DEFAULT 0 NOT NULL,
	"instance" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "import_working" CHECK ("imports"."state" <> 'working' or "imports"."instance" is not null)
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "imported" jsonb;--> statement-breakpoint
ALTER TABLE "import_files" ADD CONSTRAINT "import_files_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_items" ADD CONSTRAINT "import_items_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_items" ADD CONSTRAINT "import_items_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_items_import_id_id_index" ON "import_items" USING btree ("import_id","id");--> statement-breakpoint
CREATE INDEX "import_items_thread_id_index" ON "import_items" USING btree ("thread_id");--> statement-breakpoint
CREATE UNIQUE INDEX "import_items_once" ON "import_items" USING btree ("user_id","source","source_id") WHERE "import_items"."outcome" = 'added' and "import_items"."thread_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "import_projects_once" ON "import_items" USING btree ("user_id","source","source_id") WHERE "import_items"."outcome" = 'project' and "import_items"."project_id" is not null;--> statement-breakpoint
CREATE INDEX "imports_user_id_created_at_index" ON "imports" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "imports_unfinished" ON "imports" USING btree ("updated_at") WHERE "imports"."state" in ('uploading', 'queued', 'working', 'found');