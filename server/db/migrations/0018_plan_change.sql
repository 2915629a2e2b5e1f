ALTER TABLE "orders" ADD COLUMN "progress" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "decline_reason" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "replaces_id" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "card_removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "next_plan_version_id" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "replaced_by" text;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_replaces_id_subscriptions_id_fk" FOREIGN KEY ("replaces_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_next_plan_version_id_plan_versions_id_fk" FOREIGN KEY ("next_plan_version_id") REFERENCES "public"."plan_versions"("id") ON DELETE no action ON UPDATE no action;