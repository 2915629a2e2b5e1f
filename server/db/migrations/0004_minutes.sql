CREATE TABLE "minutes" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"transcription_id" text NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"model_id" text,
	"text" text DEFAULT '' NOT NULL,
	"edited" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"source" text,
	"steps_done" integer DEFAULT 0 NOT NULL,
	"steps_total" integer,
	"charged" bigint DEFAULT 0 NOT NULL,
	"error_code" text,
	"error_message" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"crashes" integer DEFAULT 0 NOT NULL,
	"instance" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "minutes_working" CHECK ("minutes"."state" <> 'working' or "minutes"."instance" is not null)
);
--> statement-breakpoint
ALTER TABLE "minutes" ADD CONSTRAINT "minutes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "minutes" ADD CONSTRAINT "minutes_transcription_id_transcriptions_id_fk" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "one_document_of_a_kind" ON "minutes" USING btree ("transcription_id","kind");--> statement-breakpoint
CREATE INDEX "minutes_user_id_index" ON "minutes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "minutes_unfinished" ON "minutes" USING btree ("updated_at") WHERE "minutes"."state" in ('queued', 'working');