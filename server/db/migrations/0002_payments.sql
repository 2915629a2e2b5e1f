CREATE TABLE "consents" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"plan_version_id" text NOT NULL,
	"text_version" text NOT NULL,
	"ip" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"kind" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"plan_version_id" text,
	"bundle_id" text,
	"subscription_id" text,
	"title" text NOT NULL,
	"symbols" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"promo_id" text,
	"discount_percent" integer,
	"gateway_token" text,
	"redirect_url" text,
	"redirect_expires_at" timestamp (3) with time zone,
	"gateway_uid" text,
	"receipt_url" text,
	"refunded_amount" bigint DEFAULT 0 NOT NULL,
	"check_at" timestamp (3) with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"asked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp (3) with time zone,
	CONSTRAINT "orders_gatewayToken_unique" UNIQUE("gateway_token"),
	CONSTRAINT "orders_gatewayUid_unique" UNIQUE("gateway_uid"),
	CONSTRAINT "order_kind" CHECK ("orders"."kind" in ('plan', 'renewal', 'bundle')),
	CONSTRAINT "order_status" CHECK ("orders"."status" in ('pending', 'paid', 'failed', 'expired', 'refunded', 'charged_back')),
	CONSTRAINT "order_of_one_thing" CHECK (("orders"."kind" = 'bundle') = ("orders"."bundle_id" is not null) and ("orders"."kind" = 'bundle') = ("orders"."plan_version_id" is null)),
	CONSTRAINT "renewal_of_a_subscription" CHECK ("orders"."kind" <> 'renewal' or "orders"."subscription_id" is not null),
	CONSTRAINT "order_positive" CHECK ("orders"."amount" > 0 and "orders"."symbols" > 0),
	CONSTRAINT "order_paid" CHECK (("orders"."status" in ('paid', 'refunded', 'charged_back')) = ("orders"."paid_at" is not null)),
	CONSTRAINT "order_paid_by_a_payment" CHECK ("orders"."paid_at" is null or "orders"."gateway_uid" is not null),
	CONSTRAINT "order_refund" CHECK ("orders"."refunded_amount" >= 0 and ("orders"."paid_at" is not null or "orders"."refunded_amount" = 0)),
	CONSTRAINT "order_discount" CHECK (("orders"."promo_id" is null) = ("orders"."discount_percent" is null))
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"dedupe_key" text NOT NULL,
	"body" jsonb NOT NULL,
	"deliveries" integer DEFAULT 1 NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"processed_at" timestamp (3) with time zone,
	"orphan" boolean DEFAULT false NOT NULL,
	"problem" text,
	CONSTRAINT "payment_events_dedupeKey_unique" UNIQUE("dedupe_key")
);
--> statement-breakpoint
CREATE TABLE "reversals" (
	"uid" text PRIMARY KEY NOT NULL,
	"parent_uid" text NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reversal_kind" CHECK ("reversals"."kind" in ('refund', 'chargeback')),
	CONSTRAINT "reversal_positive" CHECK ("reversals"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"gateway_id" text NOT NULL,
	"user_id" text,
	"plan_version_id" text NOT NULL,
	"state" text NOT NULL,
	"active_to" timestamp (3) with time zone,
	"renew_at" timestamp (3) with time zone,
	"paid_billing_cycles" integer DEFAULT 0 NOT NULL,
	"card_last4" text,
	"card_brand" text,
	"cancel_requested_at" timestamp (3) with time zone,
	"canceled_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"reminded_for" timestamp (3) with time zone,
	"check_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscriptions_gatewayId_unique" UNIQUE("gateway_id"),
	CONSTRAINT "canceled_as_requested" CHECK ("subscriptions"."canceled_at" is null or "subscriptions"."cancel_requested_at" is not null),
	CONSTRAINT "cycles_not_negative" CHECK ("subscriptions"."paid_billing_cycles" >= 0)
);
--> statement-breakpoint
CREATE TABLE "bundles" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"symbols" bigint NOT NULL,
	"price" bigint NOT NULL,
	"currency" text NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bundle_positive" CHECK ("bundles"."symbols" > 0 and "bundles"."price" > 0),
	CONSTRAINT "bundle_currency" CHECK ("bundles"."currency" ~ '^[A-Z]{3}$')
);
--> statement-breakpoint
CREATE TABLE "plan_versions" (
	"id" text PRIMARY KEY NOT NULL,
	"plan_id" text NOT NULL,
	"current" boolean DEFAULT true NOT NULL,
	"symbols" bigint NOT NULL,
	"price" bigint NOT NULL,
	"currency" text NOT NULL,
	"interval_days" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "plan_version_positive" CHECK ("plan_versions"."symbols" > 0 and "plan_versions"."price" > 0 and "plan_versions"."interval_days" > 0),
	CONSTRAINT "plan_version_currency" CHECK ("plan_versions"."currency" ~ '^[A-Z]{3}$')
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_plan_version_id_plan_versions_id_fk" FOREIGN KEY ("plan_version_id") REFERENCES "public"."plan_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_plan_version_id_plan_versions_id_fk" FOREIGN KEY ("plan_version_id") REFERENCES "public"."plan_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_bundle_id_bundles_id_fk" FOREIGN KEY ("bundle_id") REFERENCES "public"."bundles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_version_id_plan_versions_id_fk" FOREIGN KEY ("plan_version_id") REFERENCES "public"."plan_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_versions" ADD CONSTRAINT "plan_versions_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consents_user_id_index" ON "consents" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "orders_user_id_created_at_index" ON "orders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_subscription_id_index" ON "orders" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "orders_created_at_index" ON "orders" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "orders_to_check" ON "orders" USING btree ("check_at") WHERE "orders"."check_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_plan_order" ON "orders" USING btree ("user_id","plan_version_id",coalesce("promo_id", '')) WHERE "orders"."status" = 'pending' and "orders"."kind" = 'plan';--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_bundle_order" ON "orders" USING btree ("user_id","bundle_id") WHERE "orders"."status" = 'pending' and "orders"."kind" = 'bundle';--> statement-breakpoint
CREATE INDEX "payment_events_received_at_index" ON "payment_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "payment_events_odd" ON "payment_events" USING btree ("received_at") WHERE "payment_events"."orphan" or "payment_events"."problem" is not null;--> statement-breakpoint
CREATE INDEX "reversals_parent_uid_index" ON "reversals" USING btree ("parent_uid");--> statement-breakpoint
CREATE INDEX "subscriptions_user_id_index" ON "subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "subscriptions_to_check" ON "subscriptions" USING btree ("check_at") WHERE "subscriptions"."check_at" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_to_remind" ON "subscriptions" USING btree ("renew_at") WHERE "subscriptions"."renew_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "one_live_subscription" ON "subscriptions" USING btree ("user_id") WHERE "subscriptions"."active_to" is not null and "subscriptions"."cancel_requested_at" is null and "subscriptions"."state" not in ('canceled', 'failed', 'error', 'expired');--> statement-breakpoint
CREATE INDEX "bundles_position_index" ON "bundles" USING btree ("position");--> statement-breakpoint
CREATE INDEX "plan_versions_plan_id_index" ON "plan_versions" USING btree ("plan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "plan_sells_one_version" ON "plan_versions" USING btree ("plan_id") WHERE "plan_versions"."current";--> statement-breakpoint
CREATE INDEX "plans_position_index" ON "plans" USING btree ("position");--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "one_grant_an_order" ON "grants" USING btree ("order_id");