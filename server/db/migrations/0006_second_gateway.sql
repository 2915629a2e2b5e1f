-- contract: only the list of allowed kinds of problems grows; the previous release writes none of the new ones.
CREATE TABLE "payment_methods" (
	"id" text PRIMARY KEY NOT NULL,
	"gateway" text DEFAULT 'bepaid' NOT NULL,
	"user_id" text,
	"token" text,
	"kind" text NOT NULL,
	"last4" text,
	"brand" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"active_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	"removed_by" text,
	CONSTRAINT "removed_without_token" CHECK ("payment_methods"."removed_at" is null or "payment_methods"."token" is null),
	CONSTRAINT "method_removed" CHECK (("payment_methods"."removed_at" is null) = ("payment_methods"."removed_by" is null))
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"id" text PRIMARY KEY NOT NULL,
	"gateway" text DEFAULT 'bepaid' NOT NULL,
	"order_id" text NOT NULL,
	"kind" text NOT NULL,
	"payment_uid" text NOT NULL,
	"uid" text,
	"state" text DEFAULT 'pending' NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"vat_code" integer NOT NULL,
	"tax_system" integer,
	"subject" text NOT NULL,
	"mode" text NOT NULL,
	"fiscal_storage" text,
	"fiscal_document" text,
	"fiscal_attribute" text,
	"registered_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 1 NOT NULL,
	"check_at" timestamp (3) with time zone,
	"failed_checks" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "receipts_uid_unique" UNIQUE("uid"),
	CONSTRAINT "receipt_state" CHECK ("receipts"."state" in ('pending', 'registered', 'rejected')),
	CONSTRAINT "receipt_kind" CHECK ("receipts"."kind" in ('payment', 'refund')),
	CONSTRAINT "receipt_positive" CHECK ("receipts"."amount" > 0),
	CONSTRAINT "receipt_registered" CHECK (("receipts"."state" = 'registered') = ("receipts"."registered_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"gateway" text DEFAULT 'bepaid' NOT NULL,
	"order_id" text NOT NULL,
	"uid" text,
	"state" text DEFAULT 'requested' NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"cancel_reason" text,
	"check_at" timestamp (3) with time zone,
	"failed_checks" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_uid_unique" UNIQUE("uid"),
	CONSTRAINT "refund_state" CHECK ("refunds"."state" in ('requested', 'pending', 'succeeded', 'canceled')),
	CONSTRAINT "refund_positive" CHECK ("refunds"."amount" > 0),
	CONSTRAINT "refund_ended" CHECK (("refunds"."state" in ('succeeded', 'canceled')) = ("refunds"."ended_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "renewals" (
	"subscription_id" text NOT NULL,
	"cycle" integer NOT NULL,
	"state" text DEFAULT 'charging' NOT NULL,
	"order_id" text NOT NULL,
	"method_id" text,
	"attempts" integer DEFAULT 1 NOT NULL,
	"next_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "renewals_subscription_id_cycle_pk" PRIMARY KEY("subscription_id","cycle"),
	CONSTRAINT "renewals_orderId_unique" UNIQUE("order_id"),
	CONSTRAINT "renewal_state" CHECK ("renewals"."state" in ('charging', 'waiting', 'paid', 'failed')),
	CONSTRAINT "renewal_waits_until" CHECK (("renewals"."state" = 'waiting') = ("renewals"."next_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "payment_problems" DROP CONSTRAINT "problem_kind";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "gateway" text DEFAULT 'bepaid' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "method" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "qr" text;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "gateway" text DEFAULT 'bepaid' NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_problems" ADD COLUMN "gateway" text DEFAULT 'bepaid' NOT NULL;--> statement-breakpoint
ALTER TABLE "reversals" ADD COLUMN "gateway" text DEFAULT 'bepaid' NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "gateway" text DEFAULT 'bepaid' NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_method_id_payment_methods_id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."payment_methods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_methods_user_id_index" ON "payment_methods" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_active_method" ON "payment_methods" USING btree ("user_id") WHERE "payment_methods"."active_at" is not null and "payment_methods"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "receipts_order_id_index" ON "receipts" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_receipt" ON "receipts" USING btree ("payment_uid","kind");--> statement-breakpoint
CREATE INDEX "receipts_to_check" ON "receipts" USING btree ("check_at") WHERE "receipts"."check_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_refund" ON "refunds" USING btree ("order_id") WHERE "refunds"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "refunds_to_check" ON "refunds" USING btree ("check_at") WHERE "refunds"."check_at" is not null;--> statement-breakpoint
ALTER TABLE "payment_problems" ADD CONSTRAINT "problem_kind" CHECK ("payment_problems"."kind" in ('lost_discount', 'ownerless_payment', 'missing_subscription', 'refund_canceled', 'receipt_rejected', 'receipt_late'));