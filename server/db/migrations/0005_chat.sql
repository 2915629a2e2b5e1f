CREATE TABLE "files" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"assistant_id" text,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"mime" text NOT NULL,
	"bytes" integer NOT NULL,
	"storage_key" text NOT NULL,
	"state" text NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"error" text,
	"symbols" integer,
	"content" text,
	"pages" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_files" (
	"message_id" text NOT NULL,
	"file_id" text NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "message_files_message_id_file_id_pk" PRIMARY KEY("message_id","file_id")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" text PRIMARY KEY NOT NULL,
	"thread_id" text NOT NULL,
	"user_id" text NOT NULL,
	"parent_id" text,
	"role" text NOT NULL,
	"content" text NOT NULL,
	"status" text NOT NULL,
	"model_id" text,
	"input" bigint DEFAULT 0 NOT NULL,
	"output" bigint DEFAULT 0 NOT NULL,
	"charged" bigint DEFAULT 0 NOT NULL,
	"parts" jsonb,
	"error_code" text,
	"error_message" text,
	"run" jsonb,
	"heartbeat_at" timestamp (3) with time zone,
	"input_tokens" integer,
	"output_tokens" integer,
	"tokens_guessed" boolean,
	"cost" double precision,
	"cost_currency" text,
	"first_token_ms" integer,
	"total_ms" integer,
	"search" "tsvector",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "message_status" CHECK ("messages"."role" = 'assistant' or "messages"."status" = 'complete'),
	CONSTRAINT "message_run" CHECK (("messages"."status" = 'streaming') = ("messages"."run" is not null))
);
--> statement-breakpoint
CREATE TABLE "threads" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"title" text NOT NULL,
	"title_source" text DEFAULT 'default' NOT NULL,
	"assistant_id" text,
	"model_id" text,
	"current_leaf_id" text,
	"version" integer DEFAULT 0 NOT NULL,
	"pinned" boolean DEFAULT false NOT NULL,
	"archived" boolean DEFAULT false NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"share_id" text,
	"shared_leaf_id" text,
	"shared_at" timestamp (3) with time zone,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('russian', translate(title, 'ёЁ', 'еЕ'))) STORED,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "threads_shareId_unique" UNIQUE("share_id")
);
--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_files" ADD CONSTRAINT "message_files_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_files" ADD CONSTRAINT "message_files_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_parent_id_messages_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."messages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "files_user_id_created_at_index" ON "files" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "files_assistant_id_index" ON "files" USING btree ("assistant_id");--> statement-breakpoint
CREATE INDEX "files_unfinished" ON "files" USING btree ("created_at") WHERE "files"."state" in ('uploaded', 'reading', 'indexing');--> statement-breakpoint
CREATE INDEX "message_files_file_id_index" ON "message_files" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "messages_parent_id_index" ON "messages" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "messages_thread_id_created_at_index" ON "messages" USING btree ("thread_id","created_at");--> statement-breakpoint
CREATE INDEX "messages_created_at_index" ON "messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "messages_streaming" ON "messages" USING btree ("user_id") WHERE "messages"."status" = 'streaming';--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin ("search");--> statement-breakpoint
CREATE INDEX "threads_active" ON "threads" USING btree ("user_id","pinned" DESC NULLS FIRST,"updated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "threads"."deleted_at" is null and not "threads"."archived";--> statement-breakpoint
CREATE INDEX "threads_archived" ON "threads" USING btree ("user_id","updated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "threads"."deleted_at" is null and "threads"."archived";--> statement-breakpoint
CREATE INDEX "threads_trash" ON "threads" USING btree ("user_id","deleted_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "threads"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "threads_to_purge" ON "threads" USING btree ("deleted_at") WHERE "threads"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "threads_search" ON "threads" USING gin ("search");