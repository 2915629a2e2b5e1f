CREATE TABLE "program_answers" (
	"id" text PRIMARY KEY NOT NULL,
	"request" text NOT NULL,
	"user_id" text NOT NULL,
	"instance" text NOT NULL,
	"type" text,
	"body" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "program_answers" ADD CONSTRAINT "program_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "program_answers_user_id_index" ON "program_answers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "program_answers_created_at_index" ON "program_answers" USING btree ("created_at");