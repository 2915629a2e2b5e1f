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
	"search" "tsvector" GENERATED ALWAYS AS (setweight(to_tsvector('russian', translate(coalesce(section, ''), 'ёЁ', 'еЕ')), 'A') || to_tsvector('russian', translate(text, 'ёЁ', 'еЕ'))) STORED,
	"embedding" real[]
);
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "claimed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_chunks" ADD CONSTRAINT "file_chunks_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assistants_user_id_created_at_index" ON "assistants" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "file_chunks_file_id_position_index" ON "file_chunks" USING btree ("file_id","position");--> statement-breakpoint
CREATE INDEX "file_chunks_assistant_id_index" ON "file_chunks" USING btree ("assistant_id");--> statement-breakpoint
CREATE INDEX "file_chunks_search" ON "file_chunks" USING gin ("search");