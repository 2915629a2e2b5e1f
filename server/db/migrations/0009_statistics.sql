CREATE TABLE "stat_days" (
	"metric" text NOT NULL,
	"day" date NOT NULL,
	"key" text NOT NULL,
	"detail" text NOT NULL,
	"value" numeric NOT NULL,
	CONSTRAINT "stat_days_metric_day_key_detail_pk" PRIMARY KEY("metric","day","key","detail")
);
--> statement-breakpoint
CREATE TABLE "stat_facts" (
	"day" date NOT NULL,
	"metric" text NOT NULL,
	"key" text NOT NULL,
	"detail" text NOT NULL,
	"value" numeric NOT NULL,
	"who" bigint
);
--> statement-breakpoint
CREATE TABLE "stat_notes" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stat_user_days" (
	"day" date NOT NULL,
	"who" bigint NOT NULL,
	"currency" text NOT NULL,
	"messages" numeric DEFAULT 0 NOT NULL,
	"charged" numeric DEFAULT 0 NOT NULL,
	"earned" numeric DEFAULT 0 NOT NULL,
	"cost" numeric DEFAULT 0 NOT NULL,
	CONSTRAINT "stat_user_days_day_who_currency_pk" PRIMARY KEY("day","who","currency")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "copied" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "users_by_number" ON "users" USING btree (hashtextextended("id", 0));