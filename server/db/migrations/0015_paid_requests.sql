CREATE TABLE "embedding_use" (
	"user_id" text NOT NULL,
	"month" date NOT NULL,
	"symbols" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "embedding_use_user_id_month_pk" PRIMARY KEY("user_id","month")
);
--> statement-breakpoint
ALTER TABLE "images" DROP CONSTRAINT "image_charged";--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "free_stops_day" date;--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "free_stops" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "may_charge" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "price" bigint;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "counted" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "counted_month" date;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "hold" text;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "charged" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "asked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "early_stop" jsonb;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "asked_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "paid" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "embedding_use" ADD CONSTRAINT "embedding_use_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "image_charged" CHECK ("images"."charged" = 0 or "images"."state" = 'ready' or "images"."deleted_at" is not null);