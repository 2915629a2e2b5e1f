CREATE TABLE "web_passages" (
	"message_id" text NOT NULL,
	"n" integer NOT NULL,
	"url" text NOT NULL,
	"title" text NOT NULL,
	"site" text NOT NULL,
	"date" text,
	"text" text NOT NULL,
	CONSTRAINT "web_passages_message_id_n_pk" PRIMARY KEY("message_id","n")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "web" jsonb;--> statement-breakpoint
ALTER TABLE "web_passages" ADD CONSTRAINT "web_passages_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;