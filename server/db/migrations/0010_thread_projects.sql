ALTER TABLE "threads" ADD COLUMN "project_id" text;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "threads_of_project" ON "threads" USING btree ("project_id") WHERE "threads"."project_id" is not null;