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
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transcriptions_list" ON "transcriptions" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "transcriptions_unfinished" ON "transcriptions" USING btree ("updated_at") WHERE "transcriptions"."state" in ('uploading', 'queued', 'working');--> statement-breakpoint
CREATE INDEX "transcriptions_search" ON "transcriptions" USING gin ("search");