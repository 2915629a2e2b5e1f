ALTER TABLE "models" ADD COLUMN "image_price" integer;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "minute_price" integer;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "context_symbols" integer;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "max_output_symbols" integer;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "vision" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "fallback_id" text;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "cost_input" integer;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "cost_output" integer;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "cost_currency" text;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_fallback_id_models_id_fk" FOREIGN KEY ("fallback_id") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "model_rates" CHECK ("models"."input_rate" >= 0 and "models"."output_rate" >= 0);--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "model_no_fallback_to_itself" CHECK ("models"."fallback_id" is null or "models"."fallback_id" <> "models"."id");