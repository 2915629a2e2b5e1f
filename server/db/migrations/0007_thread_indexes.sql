ALTER TABLE "messages" DROP CONSTRAINT "messages_user_id_users_id_fk";
--> statement-breakpoint
CREATE INDEX "messages_first" ON "messages" USING btree ("thread_id","created_at") WHERE "messages"."parent_id" is null;--> statement-breakpoint
CREATE INDEX "threads_user_id_index" ON "threads" USING btree ("user_id");