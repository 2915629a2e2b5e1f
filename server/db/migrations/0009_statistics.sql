CREATE TABLE "stat_active_days" (
	"day" date NOT NULL,
	"who" bigint NOT NULL,
	"messages" integer NOT NULL,
	"charged" bigint NOT NULL,
	CONSTRAINT "stat_active_days_day_who_pk" PRIMARY KEY("day","who")
);
--> statement-breakpoint
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
CREATE TABLE "stat_money_days" (
	"day" date NOT NULL,
	"who" bigint NOT NULL,
	"currency" text NOT NULL,
	"earned" double precision NOT NULL,
	"cost" double precision NOT NULL,
	CONSTRAINT "stat_money_days_day_who_currency_pk" PRIMARY KEY("day","who","currency")
);
--> statement-breakpoint
CREATE TABLE "stat_notes" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "copied" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "users_by_number" ON "users" USING btree (hashtextextended("id", 0));