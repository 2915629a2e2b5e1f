CREATE TABLE "gift_refusals" (
	"user_id" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"symbols" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"given_at" timestamp (3) with time zone,
	CONSTRAINT "gift_refusal_reason" CHECK ("gift_refusals"."reason" in ('repeated', 'disposable', 'network'))
);
--> statement-breakpoint
CREATE TABLE "person_marks" (
	"mark" text NOT NULL,
	"subject" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "person_marks_mark_subject_pk" PRIMARY KEY("mark","subject")
);
--> statement-breakpoint
ALTER TABLE "email_outbox" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "masked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "payer_hash" text;--> statement-breakpoint
ALTER TABLE "gift_refusals" ADD CONSTRAINT "gift_refusals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gift_refusals_open" ON "gift_refusals" USING btree ("created_at") WHERE "gift_refusals"."given_at" is null;--> statement-breakpoint
ALTER TABLE "email_outbox" ADD CONSTRAINT "email_outbox_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_outbox_user_id_index" ON "email_outbox" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payment_events_payer" ON "payment_events" USING btree ("payer_hash") WHERE "payment_events"."payer_hash" is not null;--> statement-breakpoint
CREATE INDEX "payment_events_unmasked" ON "payment_events" USING btree ("id") WHERE not "payment_events"."masked";--> statement-breakpoint
CREATE INDEX "storage_orphans_expected" ON "storage_orphans" USING btree ("key") WHERE "storage_orphans"."expected";