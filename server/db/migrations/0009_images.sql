CREATE TABLE "images" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"batch_id" text NOT NULL,
	"place" integer NOT NULL,
	"prompt" text NOT NULL,
	"model_id" text NOT NULL,
	"size" text NOT NULL,
	"state" text NOT NULL,
	"price" bigint NOT NULL,
	"charged" bigint DEFAULT 0 NOT NULL,
	"error_code" text,
	"error_message" text,
	"heartbeat_at" timestamp (3) with time zone,
	"width" integer,
	"height" integer,
	"bytes" integer,
	"mime" text,
	"storage_key" text,
	"thumb_key" text,
	"thread_id" text,
	"message_id" text,
	"cost" double precision,
	"cost_currency" text,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('russian', translate(prompt, 'ёЁ', 'еЕ'))) STORED,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "image_ready" CHECK ("images"."state" <> 'ready' or "images"."deleted_at" is not null or "images"."storage_key" is not null),
	CONSTRAINT "image_making" CHECK (("images"."state" = 'making') = ("images"."heartbeat_at" is not null)),
	CONSTRAINT "image_charged" CHECK ("images"."charged" = 0 or "images"."state" = 'ready')
);
--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "images_newest" ON "images" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "images"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "images_once" ON "images" USING btree ("user_id","batch_id","place");--> statement-breakpoint
CREATE INDEX "images_making" ON "images" USING btree ("heartbeat_at") WHERE "images"."state" = 'making';--> statement-breakpoint
CREATE INDEX "images_by_storage_key" ON "images" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "images_created_at_index" ON "images" USING btree ("created_at");