DROP INDEX "ledger_created_at_index";--> statement-breakpoint
DROP INDEX "orders_created_at_index";--> statement-breakpoint
DROP INDEX "payment_events_odd";--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "refs" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "resolved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "resolved_by" text;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "resolution" text;--> statement-breakpoint
ALTER TABLE "payment_events" ADD CONSTRAINT "payment_events_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_created_at_id_index" ON "ledger" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "ledger_rare_kinds" ON "ledger" USING btree ("kind","created_at","id") WHERE "ledger"."kind" <> 'answer';--> statement-breakpoint
CREATE INDEX "orders_created_at_id_index" ON "orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_status_created_at_index" ON "orders" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "payment_events_refs" ON "payment_events" USING gin ("refs");--> statement-breakpoint
CREATE INDEX "payment_events_odd" ON "payment_events" USING btree ("received_at") WHERE ("payment_events"."orphan" or "payment_events"."problem" is not null or "payment_events"."processed_at" is null);--> statement-breakpoint
ALTER TABLE "payment_events" ADD CONSTRAINT "event_resolved" CHECK (("payment_events"."resolved_at" is null) = ("payment_events"."resolution" is null));