CREATE TABLE "side_costs" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"who" bigint NOT NULL,
	"model_id" text NOT NULL,
	"cost" double precision NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
