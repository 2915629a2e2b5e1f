CREATE TABLE "file_words" (
	"file_id" text PRIMARY KEY NOT NULL,
	"words" text[] NOT NULL,
	"stamp" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"assistant_id" text NOT NULL,
	"question" text NOT NULL,
	"words" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "search_words_assistant_id_question_pk" PRIMARY KEY("assistant_id","question")
);
--> statement-breakpoint
ALTER TABLE "assistants" ADD COLUMN "search_words" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "file_words" ADD CONSTRAINT "file_words_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_words" ADD CONSTRAINT "search_words_assistant_id_assistants_id_fk" FOREIGN KEY ("assistant_id") REFERENCES "public"."assistants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "search_words_created_at_index" ON "search_words" USING btree ("created_at");