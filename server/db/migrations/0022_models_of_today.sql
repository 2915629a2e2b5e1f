CREATE TABLE "thought_chunks" (
	"message_id" text NOT NULL,
	"at" integer NOT NULL,
	"upto" integer NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "thought_chunks_message_id_at_pk" PRIMARY KEY("message_id","at"),
	CONSTRAINT "thought_chunk_length" CHECK ("thought_chunks"."upto" > "thought_chunks"."at")
);
--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "thought" bigint;--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "thought_rate" double precision;--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "cached" bigint;--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "cached_rate" double precision;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "thought_rate" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "cached_rate" double precision;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "thinks" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "retires_on" date;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "successor_id" text;--> statement-breakpoint
ALTER TABLE "models" ADD COLUMN "cost_cached" integer;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "thought" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "thought_symbols" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "thought_ms" integer;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "thought_tokens" integer;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "cached_tokens" integer;--> statement-breakpoint
ALTER TABLE "thought_chunks" ADD CONSTRAINT "thought_chunks_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_successor_id_models_id_fk" FOREIGN KEY ("successor_id") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "model_thought_rates" CHECK ("models"."thought_rate" >= 0 and "models"."cached_rate" >= 0);