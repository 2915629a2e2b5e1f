CREATE TABLE "disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"entry_id" bigint NOT NULL,
	"user_id" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"reason" text NOT NULL,
	"answer" text,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "disputes_entryId_unique" UNIQUE("entry_id"),
	CONSTRAINT "dispute_status" CHECK ("disputes"."status" in ('open', 'returned', 'refused')),
	CONSTRAINT "dispute_decided" CHECK (("disputes"."status" = 'open') = ("disputes"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event" text NOT NULL,
	"user_id" text,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"props" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "promo_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"hint" text NOT NULL,
	"symbols" bigint DEFAULT 0 NOT NULL,
	"discount_percent" integer,
	"max_uses" integer,
	"uses" integer DEFAULT 0 NOT NULL,
	"starts_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"first_purchase_only" boolean DEFAULT false NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "promo_codes_codeHash_unique" UNIQUE("code_hash"),
	CONSTRAINT "promo_gives_one_thing" CHECK ("promo_codes"."symbols" >= 0 and ("promo_codes"."symbols" > 0) <> ("promo_codes"."discount_percent" is not null)),
	CONSTRAINT "promo_percent" CHECK ("promo_codes"."discount_percent" between 1 and 100),
	CONSTRAINT "promo_within_its_count" CHECK ("promo_codes"."uses" >= 0 and "promo_codes"."uses" <= "promo_codes"."max_uses"),
	CONSTRAINT "promo_deleted_is_off" CHECK ("promo_codes"."deleted_at" is null or not "promo_codes"."active")
);
--> statement-breakpoint
CREATE TABLE "promo_uses" (
	"promo_id" text NOT NULL,
	"user_id" text NOT NULL,
	"order_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "promo_uses_promo_id_user_id_pk" PRIMARY KEY("promo_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_entry_id_ledger_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."ledger"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promo_uses" ADD CONSTRAINT "promo_uses_promo_id_promo_codes_id_fk" FOREIGN KEY ("promo_id") REFERENCES "public"."promo_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promo_uses" ADD CONSTRAINT "promo_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "disputes_user_id_index" ON "disputes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "disputes_status_created_at_index" ON "disputes" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "events_event_at_index" ON "events" USING btree ("event","at");--> statement-breakpoint
CREATE INDEX "events_user_id_index" ON "events" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "promo_codes_hint_index" ON "promo_codes" USING btree ("hint");--> statement-breakpoint
CREATE INDEX "promo_codes_created_at_index" ON "promo_codes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "promo_uses_user_id_index" ON "promo_uses" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "promo_uses_order_id_index" ON "promo_uses" USING btree ("order_id");