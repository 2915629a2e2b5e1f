CREATE TABLE "assistants" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"instructions" text DEFAULT '' NOT NULL,
	"avatar" text NOT NULL,
	"model_id" text,
	"starters" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_chunks" (
	"id" text PRIMARY KEY NOT NULL,
	"file_id" text NOT NULL,
	"assistant_id" text NOT NULL,
	"position" integer NOT NULL,
	"place" text,
	"section" text,
	"text" text NOT NULL,
	"lead" integer DEFAULT 0 NOT NULL,
	"search" "tsvector",
	"embedding" real[],
	"embedder" text
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_id" text NOT NULL,
	"actor_email" text NOT NULL,
	"act" text NOT NULL,
	"kind" text NOT NULL,
	"target" text,
	"before" jsonb,
	"after" jsonb,
	"note" text,
	"ip" text,
	"user_agent" text,
	"request_id" text,
	"prev_hash" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_log_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "images" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"batch_id" text NOT NULL,
	"place" integer NOT NULL,
	"prompt" text NOT NULL,
	"model_id" text NOT NULL,
	"size" text NOT NULL,
	"state" text NOT NULL,
	"price" bigint NOT NULL,
	"charged" bigint DEFAULT 0 NOT NULL,
	"error_code" text,
	"error_message" text,
	"heartbeat_at" timestamp (3) with time zone,
	"width" integer,
	"height" integer,
	"bytes" integer,
	"mime" text,
	"storage_key" text,
	"thumb_key" text,
	"thread_id" text,
	"message_id" text,
	"cost" double precision,
	"cost_currency" text,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('russian', translate(prompt, 'ёЁ', 'еЕ'))) STORED,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "image_ready" CHECK ("images"."state" <> 'ready' or "images"."deleted_at" is not null or "images"."storage_key" is not null),
	CONSTRAINT "image_making" CHECK (("images"."state" = 'making') = ("images"."heartbeat_at" is not null)),
	CONSTRAINT "image_charged" CHECK ("images"."charged" = 0 or "images"."state" = 'ready')
);
--> statement-breakpoint
CREATE TABLE "stat_active_days" (
	"day" date NOT NULL,
	"who" bigint NOT NULL,
	"messages" integer NOT NULL,
	"charged" bigint NOT NULL,
	CONSTRAINT "stat_active_days_day_who_pk" PRIMARY KEY("day","who")
);
--> statement-breakpoint
CREATE TABLE "stat_days" (
	"metric" text NOT NULL,
	"day" date NOT NULL,
	"key" text NOT NULL,
	"detail" text NOT NULL,
	"value" numeric NOT NULL,
	CONSTRAINT "stat_days_metric_day_key_detail_pk" PRIMARY KEY("metric","day","key","detail")
);
--> statement-breakpoint
CREATE TABLE "stat_facts" (
	"day" date NOT NULL,
	"metric" text NOT NULL,
	"key" text NOT NULL,
	"detail" text NOT NULL,
	"value" numeric NOT NULL,
	"who" bigint
);
--> statement-breakpoint
CREATE TABLE "stat_money_days" (
	"day" date NOT NULL,
	"who" bigint NOT NULL,
	"currency" text NOT NULL,
	"earned" double precision NOT NULL,
	"cost" double precision NOT NULL,
	CONSTRAINT "stat_money_days_day_who_currency_pk" PRIMARY KEY("day","who","currency")
);
--> statement-breakpoint
CREATE TABLE "stat_notes" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transcriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"title" text NOT NULL,
	"file_name" text NOT NULL,
	"mime" text,
	"bytes" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"piece_bytes" bigint NOT NULL,
	"storage_key" text NOT NULL,
	"duration_ms" integer,
	"language" text,
	"model_id" text,
	"state" text NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"plan" jsonb,
	"heard" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"segments" jsonb,
	"edited" boolean DEFAULT false NOT NULL,
	"original" jsonb,
	"error_code" text,
	"error_message" text,
	"charged" bigint DEFAULT 0 NOT NULL,
	"hold" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"crashes" integer DEFAULT 0 NOT NULL,
	"heartbeat_at" timestamp (3) with time zone,
	"cost" double precision,
	"cost_currency" text,
	"search" "tsvector",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transcription_received" CHECK ("transcriptions"."received" >= 0 and "transcriptions"."received" <= "transcriptions"."bytes" and "transcriptions"."piece_bytes" > 0)
);
--> statement-breakpoint
DROP INDEX "ledger_created_at_index";--> statement-breakpoint
DROP INDEX "orders_created_at_index";--> statement-breakpoint
DROP INDEX "payment_events_odd";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "search" text GENERATED ALWAYS AS (lower(email) || ' ' || translate(lower(name), 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе')) STORED;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "claimed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "refs" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "resolved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "resolved_by" text;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "resolution" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "sources" jsonb;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "copied" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_chunks" ADD CONSTRAINT "file_chunks_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assistants_user_id_created_at_index" ON "assistants" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "file_chunks_file_id_position_index" ON "file_chunks" USING btree ("file_id","position");--> statement-breakpoint
CREATE INDEX "file_chunks_assistant_id_index" ON "file_chunks" USING btree ("assistant_id");--> statement-breakpoint
CREATE INDEX "file_chunks_search" ON "file_chunks" USING gin ("search") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "file_chunks_embedder_index" ON "file_chunks" USING btree ("embedder");--> statement-breakpoint
CREATE INDEX "audit_log_at_index" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_log_actor_id_id_index" ON "audit_log" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_kind_target_id_index" ON "audit_log" USING btree ("kind","target","id");--> statement-breakpoint
CREATE INDEX "audit_log_act_id_index" ON "audit_log" USING btree ("act","id");--> statement-breakpoint
CREATE INDEX "audit_log_target_index" ON "audit_log" USING btree ("target");--> statement-breakpoint
CREATE INDEX "images_newest" ON "images" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "images"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "images_once" ON "images" USING btree ("user_id","batch_id","place");--> statement-breakpoint
CREATE INDEX "images_making" ON "images" USING btree ("heartbeat_at") WHERE "images"."state" = 'making';--> statement-breakpoint
CREATE INDEX "images_by_storage_key" ON "images" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "images_created_at_index" ON "images" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "transcriptions_list" ON "transcriptions" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "transcriptions_unfinished" ON "transcriptions" USING btree ("updated_at") WHERE "transcriptions"."state" in ('uploading', 'queued', 'working');--> statement-breakpoint
CREATE INDEX "transcriptions_search" ON "transcriptions" USING gin ("search");--> statement-breakpoint
ALTER TABLE "payment_events" ADD CONSTRAINT "payment_events_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "users_last_seen_at_index" ON "users" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "users_name_index" ON "users" USING btree ("name");--> statement-breakpoint
CREATE INDEX "users_by_number" ON "users" USING btree (hashtextextended("id", 0));--> statement-breakpoint
CREATE INDEX "ledger_created_at_id_index" ON "ledger" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "ledger_rare_kinds" ON "ledger" USING btree ("kind","created_at","id") WHERE "ledger"."kind" <> 'answer';--> statement-breakpoint
CREATE INDEX "orders_created_at_id_index" ON "orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_status_created_at_index" ON "orders" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "payment_events_refs" ON "payment_events" USING gin ("refs");--> statement-breakpoint
CREATE INDEX "payment_events_odd" ON "payment_events" USING btree ("received_at") WHERE ("payment_events"."orphan" or "payment_events"."problem" is not null or "payment_events"."processed_at" is null);--> statement-breakpoint
ALTER TABLE "payment_events" ADD CONSTRAINT "event_resolved" CHECK (("payment_events"."resolved_at" is null) = ("payment_events"."resolution" is null));