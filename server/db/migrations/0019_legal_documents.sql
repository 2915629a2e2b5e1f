CREATE TABLE "legal_consents" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"kind" text NOT NULL,
	"version" integer NOT NULL,
	"hash" text NOT NULL,
	"ip" text NOT NULL,
	"user_agent" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "legal_versions" (
	"kind" text NOT NULL,
	"version" integer NOT NULL,
	"text" text NOT NULL,
	"hash" text NOT NULL,
	"asks_consent" boolean NOT NULL,
	"author_id" text NOT NULL,
	"published_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "legal_versions_kind_version_pk" PRIMARY KEY("kind","version")
);
--> statement-breakpoint
ALTER TABLE "legal_consents" ADD CONSTRAINT "legal_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_consents" ADD CONSTRAINT "legal_consents_kind_version_legal_versions_kind_version_fk" FOREIGN KEY ("kind","version") REFERENCES "public"."legal_versions"("kind","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "legal_consents_valid" ON "legal_consents" USING btree ("user_id","kind","version") WHERE "legal_consents"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "legal_consents_user_id_index" ON "legal_consents" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "legal_consents_kind_version_index" ON "legal_consents" USING btree ("kind","version");--> statement-breakpoint
CREATE INDEX "legal_consents_created_at_id_index" ON "legal_consents" USING btree ("created_at","id");