ALTER TABLE "users" ADD COLUMN "last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "search" text GENERATED ALWAYS AS (lower(email) || ' ' || translate(lower(name), 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе')) STORED;--> statement-breakpoint
CREATE INDEX "users_last_seen_at_index" ON "users" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "users_name_index" ON "users" USING btree ("name");