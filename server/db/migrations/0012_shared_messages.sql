CREATE TABLE "shared_messages" (
	"thread_id" text NOT NULL,
	"message_id" text NOT NULL,
	"position" integer NOT NULL,
	"content" text,
	CONSTRAINT "shared_messages_message_id_pk" PRIMARY KEY("message_id")
);
--> statement-breakpoint
ALTER TABLE "threads" ADD COLUMN "shared_title" text;--> statement-breakpoint
ALTER TABLE "shared_messages" ADD CONSTRAINT "shared_messages_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shared_messages" ADD CONSTRAINT "shared_messages_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shared_messages_thread_id_position_index" ON "shared_messages" USING btree ("thread_id","position");