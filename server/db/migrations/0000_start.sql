CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp (3) with time zone,
	"refresh_token_expires_at" timestamp (3) with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"token" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"user_id" text NOT NULL,
	"impersonated_by" text,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"role" text DEFAULT 'user' NOT NULL,
	"banned" boolean DEFAULT false NOT NULL,
	"ban_reason" text,
	"ban_expires" timestamp (3) with time zone,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "balances" (
	"user_id" text PRIMARY KEY NOT NULL,
	"total" bigint DEFAULT 0 NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	"daily_cap" bigint,
	"spent_day" date,
	"spent_today" bigint DEFAULT 0 NOT NULL,
	"exhausted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "balance_holds" CHECK ("balances"."held" >= 0 and "balances"."total" >= "balances"."held")
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"symbols" bigint NOT NULL,
	"remaining" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"order_id" text,
	"note" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "grant_within_itself" CHECK ("grants"."symbols" > 0 and "grants"."remaining" >= 0 and "grants"."remaining" <= "grants"."symbols"),
	CONSTRAINT "grant_kind" CHECK ("grants"."kind" in ('plan', 'bundle', 'promo', 'gift', 'refund')),
	CONSTRAINT "bought_grant_has_order" CHECK (("grants"."kind" in ('plan', 'bundle')) = ("grants"."order_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "holds" (
	"key" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"symbols" bigint NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hold_not_negative" CHECK ("holds"."symbols" >= 0),
	CONSTRAINT "hold_state" CHECK ("holds"."state" in ('active', 'settled', 'released'))
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"symbols" bigint NOT NULL,
	"balance_after" bigint NOT NULL,
	"parts" jsonb NOT NULL,
	"model_id" text,
	"thread_id" text,
	"message_id" text,
	"input" bigint,
	"output" bigint,
	"input_rate" double precision,
	"output_rate" double precision,
	"amount" bigint,
	"currency" text,
	"note" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_key_unique" UNIQUE("key"),
	CONSTRAINT "ledger_never_below_zero" CHECK ("ledger"."balance_after" >= 0),
	CONSTRAINT "ledger_moves" CHECK ("ledger"."symbols" <> 0)
);
--> statement-breakpoint
CREATE TABLE "models" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"kind" text DEFAULT 'text' NOT NULL,
	"provider" text NOT NULL,
	"provider_model" text NOT NULL,
	"input_rate" double precision DEFAULT 1 NOT NULL,
	"output_rate" double precision DEFAULT 1 NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"can_use_with_assistant" boolean DEFAULT false NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"user_id" text PRIMARY KEY NOT NULL,
	"thread_model" text,
	"thread_history" boolean DEFAULT true NOT NULL,
	"thread_history_limit" integer DEFAULT 20 NOT NULL,
	"thread_gpt_name_enabled" boolean DEFAULT true NOT NULL,
	"thread_gpt_name_prompt" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "balances" ADD CONSTRAINT "balances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_thread_model_models_id_fk" FOREIGN KEY ("thread_model") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_user_id_index" ON "accounts" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_provider_id_account_id_index" ON "accounts" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE INDEX "sessions_user_id_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_created_at_index" ON "users" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "verifications_identifier_index" ON "verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "verifications_expires_at_index" ON "verifications" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "grants_user_id_created_at_index" ON "grants" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "grants_live" ON "grants" USING btree ("user_id") WHERE "grants"."remaining" > 0;--> statement-breakpoint
CREATE INDEX "grants_to_expire" ON "grants" USING btree ("expires_at") WHERE "grants"."remaining" > 0 and "grants"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "holds_user_id_index" ON "holds" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "holds_by_lease" ON "holds" USING btree ("lease_until") WHERE "holds"."state" = 'active';--> statement-breakpoint
CREATE INDEX "ledger_user_id_id_index" ON "ledger" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "ledger_created_at_index" ON "ledger" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "models_position_index" ON "models" USING btree ("position");