CREATE TABLE "thread_summaries" (
	"id" text PRIMARY KEY NOT NULL,
	"thread_id" text NOT NULL,
	"user_id" text NOT NULL,
	"covers_until" text NOT NULL,
	"text" text NOT NULL,
	"messages" integer NOT NULL,
	"covered" bigint NOT NULL,
	"edited" boolean DEFAULT false NOT NULL,
	"stale" boolean DEFAULT false NOT NULL,
	"model_id" text,
	"input" bigint DEFAULT 0 NOT NULL,
	"output" bigint DEFAULT 0 NOT NULL,
	"charged" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "thread_summaries" text DEFAULT 'offer' NOT NULL;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "announced_on" date;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "retirement_notice" text;--> statement-breakpoint
ALTER TABLE "threads" ADD COLUMN "moved_from" text;--> statement-breakpoint
ALTER TABLE "thread_summaries" ADD CONSTRAINT "thread_summaries_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_summaries" ADD CONSTRAINT "thread_summaries_covers_until_messages_id_fk" FOREIGN KEY ("covers_until") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "thread_summaries_thread_id_index" ON "thread_summaries" USING btree ("thread_id");--> statement-breakpoint
CREATE INDEX "thread_summaries_covers_until_index" ON "thread_summaries" USING btree ("covers_until");