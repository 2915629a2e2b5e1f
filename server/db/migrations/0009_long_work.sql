CREATE TABLE "instances" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "message_chunks" (
	"message_id" text NOT NULL,
	"at" integer NOT NULL,
	"upto" integer NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "message_chunks_message_id_at_pk" PRIMARY KEY("message_id","at"),
	CONSTRAINT "chunk_length" CHECK ("message_chunks"."upto" > "message_chunks"."at")
);
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "message_run";--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "instance" text;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "instance" text;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "instance" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "instance" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "stop_requested" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "instance" text;--> statement-breakpoint
ALTER TABLE "message_chunks" ADD CONSTRAINT "message_chunks_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "instances_ended" ON "instances" USING btree ("ended_at") WHERE "instances"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "holds_running" ON "holds" USING btree ("user_id","kind") WHERE "holds"."state" = 'active';--> statement-breakpoint
CREATE INDEX "holds_by_instance" ON "holds" USING btree ("instance") WHERE "holds"."state" = 'active';--> statement-breakpoint
CREATE INDEX "images_by_instance" ON "images" USING btree ("instance") WHERE "images"."state" = 'making';--> statement-breakpoint
CREATE INDEX "messages_by_instance" ON "messages" USING btree ("instance") WHERE "messages"."status" = 'streaming';--> statement-breakpoint
CREATE INDEX "messages_to_stop" ON "messages" USING btree ("instance") WHERE "messages"."stop_requested";--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "message_run" CHECK ("messages"."status" <> 'streaming' or "messages"."run" is not null) NOT VALID;--> statement-breakpoint
-- Rows that are updated while something runs stay on their page: no index has to be written.
ALTER TABLE "holds" SET (fillfactor = 70);--> statement-breakpoint
ALTER TABLE "balances" SET (fillfactor = 70);--> statement-breakpoint
ALTER TABLE "messages" SET (fillfactor = 85);--> statement-breakpoint
ALTER TABLE "instances" SET (fillfactor = 50);
