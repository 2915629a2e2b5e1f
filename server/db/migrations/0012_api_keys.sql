CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"prefix" text NOT NULL,
	"last_four" text NOT NULL,
	"models" text[],
	"cap_day" bigint,
	"cap_month" bigint,
	"spent_day" date,
	"spent_today" bigint DEFAULT 0 NOT NULL,
	"spent_month" bigint DEFAULT 0 NOT NULL,
	"addresses" text[] DEFAULT '{}' NOT NULL,
	"mask_personal" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_used_from" text,
	"ended_at" timestamp (3) with time zone,
	"ended_by_admin" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash"),
	CONSTRAINT "api_key_caps" CHECK ("api_keys"."cap_day" >= 0 and "api_keys"."cap_month" >= 0),
	CONSTRAINT "api_key_spent" CHECK ("api_keys"."spent_today" >= 0 and "api_keys"."spent_month" >= "api_keys"."spent_today")
);
--> statement-breakpoint
CREATE TABLE "switched_off" (
	"part" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_user_id_created_at_index" ON "api_keys" USING btree ("user_id","created_at");