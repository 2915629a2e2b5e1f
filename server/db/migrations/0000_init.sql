CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"prefix" text NOT NULL,
	"last_four" text NOT NULL,
	"models" text[],
	"cap_day" bigint,
	"cap_month" bigint,
	"spent_day" date,
	"spent_today" bigint DEFAULT 0 NOT NULL,
	"spent_month" bigint DEFAULT 0 NOT NULL,
	"addresses" text[] DEFAULT '{}' NOT NULL,
	"mask_personal" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_used_from" text,
	"ended_at" timestamp (3) with time zone,
	"ended_by_admin" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash"),
	CONSTRAINT "api_key_caps" CHECK ("api_keys"."cap_day" >= 0 and "api_keys"."cap_month" >= 0),
	CONSTRAINT "api_key_spent" CHECK ("api_keys"."spent_today" >= 0 and "api_keys"."spent_month" >= "api_keys"."spent_today")
);
--> statement-breakpoint
CREATE TABLE "program_answers" (
	"id" text PRIMARY KEY NOT NULL,
	"request" text NOT NULL,
	"user_id" text NOT NULL,
	"instance" text NOT NULL,
	"type" text,
	"body" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "switched_off" (
	"part" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assistants" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"instructions" text DEFAULT '' NOT NULL,
	"avatar" text NOT NULL,
	"model_id" text,
	"starters" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"country" text,
	"search_words" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_passages" (
	"id" text PRIMARY KEY NOT NULL,
	"file_id" text NOT NULL,
	"assistant_id" text NOT NULL,
	"position" integer NOT NULL,
	"place" text,
	"section" text,
	"text" text NOT NULL,
	"lead" integer DEFAULT 0 NOT NULL,
	"search" "tsvector",
	"embedding" real[],
	"embedder" text
);
--> statement-breakpoint
CREATE TABLE "file_words" (
	"file_id" text PRIMARY KEY NOT NULL,
	"words" text[] NOT NULL,
	"stamp" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"assistant_id" text NOT NULL,
	"question" text NOT NULL,
	"words" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "search_words_assistant_id_question_pk" PRIMARY KEY("assistant_id","question")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_id" text NOT NULL,
	"actor_email" text NOT NULL,
	"action" text NOT NULL,
	"kind" text NOT NULL,
	"target" text,
	"before" jsonb,
	"after" jsonb,
	"note" text,
	"ip" text,
	"user_agent" text,
	"request_id" text,
	"prev_hash" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_log_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp (3) with time zone,
	"refresh_token_expires_at" timestamp (3) with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admin_grace" (
	"user_id" text PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"user_id" text NOT NULL,
	"device" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"signed_in_at" timestamp (3) with time zone,
	CONSTRAINT "known_devices_user_id_device_pk" PRIMARY KEY("user_id","device")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text,
	"public_key" text NOT NULL,
	"user_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"counter" bigint NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"transports" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"aaguid" text,
	CONSTRAINT "passkeys_credentialID_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "session_proofs" (
	"session_id" text PRIMARY KEY NOT NULL,
	"proven_at" timestamp (3) with time zone NOT NULL,
	"factor_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"token" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"user_id" text NOT NULL,
	"impersonated_by" text,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"user_id" text PRIMARY KEY NOT NULL,
	"thread_model" text,
	"thread_history" boolean DEFAULT true NOT NULL,
	"thread_history_limit" integer DEFAULT 20 NOT NULL,
	"thread_gpt_name_enabled" boolean DEFAULT true NOT NULL,
	"thread_gpt_name_prompt" text NOT NULL,
	"thread_summaries" text DEFAULT 'offer' NOT NULL,
	"personal_enabled" boolean DEFAULT true NOT NULL,
	"personal_about" text DEFAULT '' NOT NULL,
	"personal_style" text DEFAULT '' NOT NULL,
	"mask_personal" boolean DEFAULT false NOT NULL,
	"masked_names" text[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "two_factors" (
	"id" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"user_id" text NOT NULL,
	"verified" boolean DEFAULT false NOT NULL,
	"failed_verification_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "two_factors_userId_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "used_codes" (
	"user_id" text NOT NULL,
	"code" text NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "used_codes_user_id_code_pk" PRIMARY KEY("user_id","code")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"role" text DEFAULT 'user' NOT NULL,
	"banned" boolean DEFAULT false NOT NULL,
	"ban_reason" text,
	"ban_expires" timestamp (3) with time zone,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"two_factor_enabled" boolean DEFAULT false NOT NULL,
	"search" text GENERATED ALWAYS AS (lower(email) || ' ' || translate(lower(name), 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяе')) STORED,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "balances" (
	"user_id" text PRIMARY KEY NOT NULL,
	"total" bigint DEFAULT 0 NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	"daily_cap" bigint,
	"spent_day" date,
	"spent_today" bigint DEFAULT 0 NOT NULL,
	"free_stops_day" date,
	"free_stops" integer DEFAULT 0 NOT NULL,
	"exhausted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "balance_holds" CHECK ("balances"."held" >= 0 and "balances"."total" >= "balances"."held")
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"entry_id" bigint NOT NULL,
	"user_id" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"reason" text NOT NULL,
	"answer" text,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "disputes_entryId_unique" UNIQUE("entry_id"),
	CONSTRAINT "dispute_status" CHECK ("disputes"."status" in ('open', 'returned', 'refused')),
	CONSTRAINT "dispute_decided" CHECK (("disputes"."status" = 'open') = ("disputes"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"symbols" bigint NOT NULL,
	"remaining" bigint NOT NULL,
	"is_left" boolean GENERATED ALWAYS AS (remaining > 0) STORED,
	"expires_at" timestamp (3) with time zone,
	"order_id" text,
	"note" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "grant_within_itself" CHECK ("grants"."symbols" > 0 and "grants"."remaining" >= 0 and "grants"."remaining" <= "grants"."symbols"),
	CONSTRAINT "grant_kind" CHECK ("grants"."kind" in ('plan', 'bundle', 'promo', 'gift', 'refund')),
	CONSTRAINT "bought_grant_has_order" CHECK (("grants"."kind" in ('plan', 'bundle')) = ("grants"."order_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "holds" (
	"key" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"symbols" bigint NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"instance" text,
	"api_key_id" text,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hold_not_negative" CHECK ("holds"."symbols" >= 0),
	CONSTRAINT "hold_state" CHECK ("holds"."state" in ('active', 'settled', 'released'))
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"symbols" bigint NOT NULL,
	"balance_after" bigint NOT NULL,
	"parts" jsonb NOT NULL,
	"model_id" text,
	"thread_id" text,
	"message_id" text,
	"input" bigint,
	"output" bigint,
	"input_rate" double precision,
	"output_rate" double precision,
	"thought" bigint,
	"thought_rate" double precision,
	"cached" bigint,
	"cached_rate" double precision,
	"amount" bigint,
	"currency" text,
	"note" text,
	"api_key_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_key_unique" UNIQUE("key"),
	CONSTRAINT "ledger_never_below_zero" CHECK ("ledger"."balance_after" >= 0),
	CONSTRAINT "ledger_moves" CHECK ("ledger"."symbols" <> 0)
);
--> statement-breakpoint
CREATE TABLE "email_outbox" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"recipient" text NOT NULL,
	"user_id" text,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"send_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	CONSTRAINT "email_outbox_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "embedding_use" (
	"user_id" text NOT NULL,
	"month" date NOT NULL,
	"symbols" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "embedding_use_user_id_month_pk" PRIMARY KEY("user_id","month")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"assistant_id" text,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"mime" text NOT NULL,
	"bytes" integer NOT NULL,
	"storage_key" text NOT NULL,
	"state" text NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"error" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"instance" text,
	"claimable_at" timestamp (3) with time zone DEFAULT now() + interval '30 seconds' NOT NULL,
	"may_charge" boolean DEFAULT false NOT NULL,
	"price" bigint,
	"counted" bigint DEFAULT 0 NOT NULL,
	"counted_month" date,
	"hold" text,
	"charged" bigint DEFAULT 0 NOT NULL,
	"symbols" integer,
	"content" text,
	"pages" jsonb,
	"needs_reading" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "help_feedback" (
	"user_id" text NOT NULL,
	"slug" text NOT NULL,
	"useful" boolean NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "help_feedback_user_id_slug_pk" PRIMARY KEY("user_id","slug")
);
--> statement-breakpoint
CREATE TABLE "images" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"batch_id" text NOT NULL,
	"position" integer NOT NULL,
	"prompt" text NOT NULL,
	"model_id" text NOT NULL,
	"size" text NOT NULL,
	"state" text NOT NULL,
	"price" bigint NOT NULL,
	"charged" bigint DEFAULT 0 NOT NULL,
	"requested" boolean DEFAULT false NOT NULL,
	"error_code" text,
	"error_message" text,
	"instance" text,
	"width" integer,
	"height" integer,
	"bytes" integer,
	"mime" text,
	"storage_key" text,
	"thumb_key" text,
	"thread_id" text,
	"message_id" text,
	"origin" text DEFAULT 'drawn' NOT NULL,
	"transparent" boolean DEFAULT false NOT NULL,
	"parent_id" text,
	"root_id" text,
	"area" jsonb,
	"example_ids" jsonb,
	"whole_key" text,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('russian', translate(prompt, 'ёЁ', 'еЕ'))) STORED,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "image_ready" CHECK ("images"."state" <> 'ready' or "images"."deleted_at" is not null or "images"."storage_key" is not null),
	CONSTRAINT "image_making" CHECK (("images"."state" = 'making') = ("images"."instance" is not null)),
	CONSTRAINT "image_charged" CHECK ("images"."charged" = 0 or "images"."state" = 'ready' or "images"."deleted_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "import_files" (
	"import_id" text NOT NULL,
	"number" integer NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"chunk_bytes" bigint NOT NULL,
	"storage_key" text NOT NULL,
	CONSTRAINT "import_files_import_id_number_pk" PRIMARY KEY("import_id","number"),
	CONSTRAINT "import_files_storageKey_unique" UNIQUE("storage_key"),
	CONSTRAINT "import_received" CHECK ("import_files"."received" >= 0 and "import_files"."received" <= "import_files"."bytes" and "import_files"."chunk_bytes" > 0)
);
--> statement-breakpoint
CREATE TABLE "import_items" (
	"id" text PRIMARY KEY NOT NULL,
	"import_id" text NOT NULL,
	"user_id" text NOT NULL,
	"source" text NOT NULL,
	"source_id" text NOT NULL,
	"title" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"thread_id" text,
	"project_id" text,
	"source_project" text,
	"file_id" text,
	"messages" integer DEFAULT 0 NOT NULL,
	"lost_pictures" integer DEFAULT 0 NOT NULL,
	"lost_files" integer DEFAULT 0 NOT NULL,
	"lost_sounds" integer DEFAULT 0 NOT NULL,
	"former_leaf_id" text
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"state" text NOT NULL,
	"step" text DEFAULT 'check' NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"found" jsonb,
	"result" jsonb,
	"place" jsonb,
	"undo_continued" boolean DEFAULT false NOT NULL,
	"text_bytes" bigint DEFAULT 0 NOT NULL,
	"error" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"crashes" integer DEFAULT 0 NOT NULL,
	"instance" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "import_working" CHECK ("imports"."state" <> 'working' or "imports"."instance" is not null)
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "installation_one" CHECK ("installation"."one")
);
--> statement-breakpoint
CREATE TABLE "instances" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"build" text,
	"outages" jsonb,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "job_runs" (
	"name" text PRIMARY KEY NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"instance" text,
	"started_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "storage_orphans" (
	"key" text PRIMARY KEY NOT NULL,
	"expected" boolean DEFAULT false NOT NULL,
	"first_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "minutes" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"transcription_id" text NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"model_id" text,
	"text" text DEFAULT '' NOT NULL,
	"edited" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"source" text,
	"steps_done" integer DEFAULT 0 NOT NULL,
	"steps_total" integer,
	"charged" bigint DEFAULT 0 NOT NULL,
	"error_code" text,
	"error_message" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"crashes" integer DEFAULT 0 NOT NULL,
	"instance" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "minutes_working" CHECK ("minutes"."state" <> 'working' or "minutes"."instance" is not null)
);
--> statement-breakpoint
CREATE TABLE "models" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"kind" text DEFAULT 'text' NOT NULL,
	"provider" text NOT NULL,
	"provider_model" text NOT NULL,
	"input_rate" double precision DEFAULT 1 NOT NULL,
	"output_rate" double precision DEFAULT 1 NOT NULL,
	"thought_rate" double precision DEFAULT 0 NOT NULL,
	"cached_rate" double precision,
	"image_price" integer,
	"minute_price" integer,
	"speakers" text,
	"max_speakers" integer,
	"page_price" integer,
	"image_skills" jsonb,
	"context_symbols" integer,
	"max_output_symbols" integer,
	"vision" boolean DEFAULT false NOT NULL,
	"thinks" boolean DEFAULT false NOT NULL,
	"fallback_id" text,
	"retires_on" date,
	"announced_on" date,
	"retirement_notice" text,
	"successor_id" text,
	"cost_input" integer,
	"cost_output" integer,
	"cost_cached" integer,
	"cost_currency" text,
	"hidden" boolean DEFAULT false NOT NULL,
	"can_use_with_assistant" boolean DEFAULT false NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_rates" CHECK ("models"."input_rate" >= 0 and "models"."output_rate" >= 0),
	CONSTRAINT "model_thought_rates" CHECK ("models"."thought_rate" >= 0 and "models"."cached_rate" >= 0),
	CONSTRAINT "model_no_fallback_to_itself" CHECK ("models"."fallback_id" is null or "models"."fallback_id" <> "models"."id")
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"plan_version_id" text NOT NULL,
	"text_version" text NOT NULL,
	"ip" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"gateway" text DEFAULT 'bepaid' NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"plan_version_id" text,
	"bundle_id" text,
	"subscription_id" text,
	"title" text NOT NULL,
	"symbols" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"promo_id" text,
	"discount_percent" integer,
	"gateway_token" text,
	"redirect_url" text,
	"redirect_expires_at" timestamp (3) with time zone,
	"method" text,
	"qr" text,
	"gateway_uid" text,
	"receipt_url" text,
	"refunded_amount" bigint DEFAULT 0 NOT NULL,
	"check_at" timestamp (3) with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"failed_checks" integer DEFAULT 0 NOT NULL,
	"progress" text,
	"decline_reason" text,
	"replaces_id" text,
	"renews" boolean DEFAULT true NOT NULL,
	"reversals_checked_at" timestamp (3) with time zone,
	"check_requested_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp (3) with time zone,
	CONSTRAINT "orders_gatewayToken_unique" UNIQUE("gateway_token"),
	CONSTRAINT "orders_gatewayUid_unique" UNIQUE("gateway_uid"),
	CONSTRAINT "order_kind" CHECK ("orders"."kind" in ('plan', 'renewal', 'bundle')),
	CONSTRAINT "order_status" CHECK ("orders"."status" in ('pending', 'paid', 'failed', 'expired', 'refunded', 'charged_back')),
	CONSTRAINT "order_of_one_thing" CHECK (("orders"."kind" = 'bundle') = ("orders"."bundle_id" is not null) and ("orders"."kind" = 'bundle') = ("orders"."plan_version_id" is null)),
	CONSTRAINT "renewal_of_a_subscription" CHECK ("orders"."kind" <> 'renewal' or "orders"."subscription_id" is not null),
	CONSTRAINT "order_positive" CHECK ("orders"."amount" > 0 and "orders"."symbols" > 0),
	CONSTRAINT "order_paid" CHECK (("orders"."status" in ('paid', 'refunded', 'charged_back')) = ("orders"."paid_at" is not null)),
	CONSTRAINT "order_paid_by_a_payment" CHECK ("orders"."paid_at" is null or "orders"."gateway_uid" is not null),
	CONSTRAINT "order_refund" CHECK ("orders"."refunded_amount" >= 0 and ("orders"."paid_at" is not null or "orders"."refunded_amount" = 0)),
	CONSTRAINT "order_discount" CHECK (("orders"."promo_id" is null) = ("orders"."discount_percent" is null))
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"gateway" text DEFAULT 'bepaid' NOT NULL,
	"dedupe_key" text NOT NULL,
	"body" jsonb NOT NULL,
	"payer_hash" text,
	"deliveries" integer DEFAULT 1 NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"processed_at" timestamp (3) with time zone,
	"orphan" boolean DEFAULT false NOT NULL,
	"problem" text,
	"refs" text[] DEFAULT '{}' NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" text,
	"resolution" text,
	CONSTRAINT "payment_events_dedupeKey_unique" UNIQUE("dedupe_key"),
	CONSTRAINT "event_resolved" CHECK (("payment_events"."resolved_at" is null) = ("payment_events"."resolution" is null))
);
--> statement-breakpoint
CREATE TABLE "payment_problems" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"gateway" text DEFAULT 'bepaid' NOT NULL,
	"kind" text NOT NULL,
	"order_id" text,
	"subscription_id" text,
	"uid" text NOT NULL,
	"status" text NOT NULL,
	"amount" bigint,
	"currency" text,
	"sentence" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" text,
	"resolution" text,
	CONSTRAINT "payment_problems_key_unique" UNIQUE("key"),
	CONSTRAINT "problem_kind" CHECK ("payment_problems"."kind" in ('lost_discount', 'ownerless_payment', 'missing_subscription', 'refund_canceled', 'receipt_rejected', 'receipt_late')),
	CONSTRAINT "problem_of_one_thing" CHECK (("payment_problems"."order_id" is null) <> ("payment_problems"."subscription_id" is null)),
	CONSTRAINT "problem_resolved" CHECK (("payment_problems"."resolved_at" is null) = ("payment_problems"."resolution" is null))
);
--> statement-breakpoint
CREATE TABLE "reversals" (
	"uid" text PRIMARY KEY NOT NULL,
	"gateway" text DEFAULT 'bepaid' NOT NULL,
	"parent_uid" text NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reversal_kind" CHECK ("reversals"."kind" in ('refund', 'chargeback')),
	CONSTRAINT "reversal_positive" CHECK ("reversals"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"gateway" text DEFAULT 'bepaid' NOT NULL,
	"gateway_id" text NOT NULL,
	"user_id" text,
	"plan_version_id" text NOT NULL,
	"state" text NOT NULL,
	"active_to" timestamp (3) with time zone,
	"renew_at" timestamp (3) with time zone,
	"paid_billing_cycles" integer DEFAULT 0 NOT NULL,
	"card_last4" text,
	"card_brand" text,
	"card_removed_at" timestamp (3) with time zone,
	"cancel_requested_at" timestamp (3) with time zone,
	"canceled_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"reminded_for" timestamp (3) with time zone,
	"check_at" timestamp (3) with time zone,
	"failed_checks" integer DEFAULT 0 NOT NULL,
	"next_plan_version_id" text,
	"replaced_by" text,
	"check_requested_at" timestamp (3) with time zone,
	"missing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscriptions_gatewayId_unique" UNIQUE("gateway_id"),
	CONSTRAINT "canceled_as_requested" CHECK ("subscriptions"."canceled_at" is null or "subscriptions"."cancel_requested_at" is not null),
	CONSTRAINT "cycles_not_negative" CHECK ("subscriptions"."paid_billing_cycles" >= 0)
);
--> statement-breakpoint
CREATE TABLE "bundles" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"symbols" bigint NOT NULL,
	"price" bigint NOT NULL,
	"currency" text NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bundle_positive" CHECK ("bundles"."symbols" > 0 and "bundles"."price" > 0),
	CONSTRAINT "bundle_currency" CHECK ("bundles"."currency" ~ '^[A-Z]{3}$')
);
--> statement-breakpoint
CREATE TABLE "plan_versions" (
	"id" text PRIMARY KEY NOT NULL,
	"plan_id" text NOT NULL,
	"current" boolean DEFAULT true NOT NULL,
	"symbols" bigint NOT NULL,
	"price" bigint NOT NULL,
	"currency" text NOT NULL,
	"interval_days" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "plan_version_positive" CHECK ("plan_versions"."symbols" > 0 and "plan_versions"."price" > 0 and "plan_versions"."interval_days" > 0),
	CONSTRAINT "plan_version_currency" CHECK ("plan_versions"."currency" ~ '^[A-Z]{3}$')
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"icon" text NOT NULL,
	"instructions" text DEFAULT '' NOT NULL,
	"replaces_personal" boolean DEFAULT false NOT NULL,
	"model_id" text,
	"country" text,
	"search_words" boolean DEFAULT true NOT NULL,
	"archived" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gift_rejections" (
	"user_id" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"symbols" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"given_at" timestamp (3) with time zone,
	CONSTRAINT "gift_rejection_reason" CHECK ("gift_rejections"."reason" in ('repeated', 'disposable', 'network'))
);
--> statement-breakpoint
CREATE TABLE "identity_hashes" (
	"hash" text NOT NULL,
	"subject" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identity_hashes_hash_subject_pk" PRIMARY KEY("hash","subject")
);
--> statement-breakpoint
CREATE TABLE "promo_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"hint" text NOT NULL,
	"symbols" bigint DEFAULT 0 NOT NULL,
	"discount_percent" integer,
	"max_uses" integer,
	"uses" integer DEFAULT 0 NOT NULL,
	"starts_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"first_purchase_only" boolean DEFAULT false NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "promo_codes_codeHash_unique" UNIQUE("code_hash"),
	CONSTRAINT "promo_gives_one_thing" CHECK ("promo_codes"."symbols" >= 0 and ("promo_codes"."symbols" > 0) <> ("promo_codes"."discount_percent" is not null)),
	CONSTRAINT "promo_percent" CHECK ("promo_codes"."discount_percent" between 1 and 100),
	CONSTRAINT "promo_within_its_count" CHECK ("promo_codes"."uses" >= 0 and "promo_codes"."uses" <= "promo_codes"."max_uses"),
	CONSTRAINT "promo_deleted_is_off" CHECK ("promo_codes"."deleted_at" is null or not "promo_codes"."active")
);
--> statement-breakpoint
CREATE TABLE "promo_uses" (
	"promo_id" text NOT NULL,
	"user_id" text NOT NULL,
	"order_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "promo_uses_promo_id_user_id_pk" PRIMARY KEY("promo_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "prompt_favourites" (
	"user_id" text NOT NULL,
	"prompt_id" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_favourites_user_id_prompt_id_pk" PRIMARY KEY("user_id","prompt_id")
);
--> statement-breakpoint
CREATE TABLE "prompt_guests" (
	"user_id" text NOT NULL,
	"prompt_id" text NOT NULL,
	"share_id" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_guests_user_id_prompt_id_pk" PRIMARY KEY("user_id","prompt_id")
);
--> statement-breakpoint
CREATE TABLE "prompt_seeds" (
	"key" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"prompt_id" text
);
--> statement-breakpoint
CREATE TABLE "prompt_uses" (
	"user_id" text NOT NULL,
	"id" text NOT NULL,
	"prompt_id" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_uses_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "prompt_versions" (
	"prompt_id" text NOT NULL,
	"version" integer NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"content" text NOT NULL,
	"category" text NOT NULL,
	"changed_by" text,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_versions_prompt_id_version_pk" PRIMARY KEY("prompt_id","version")
);
--> statement-breakpoint
CREATE TABLE "prompts" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"content" text NOT NULL,
	"category" text NOT NULL,
	"changed_by" text,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"published" boolean DEFAULT false NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"share_id" text,
	"deleted_at" timestamp (3) with time zone,
	"search" "tsvector" GENERATED ALWAYS AS (setweight(to_tsvector('russian', translate(title, 'ёЁ/-', 'еЕ  ')), 'A') || setweight(to_tsvector('russian', translate(description || ' ' || category, 'ёЁ/-', 'еЕ  ')), 'B') || setweight(to_tsvector('russian', translate(content, 'ёЁ{}:=|/-', 'еЕ       ')), 'D')) STORED,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompts_shareId_unique" UNIQUE("share_id")
);
--> statement-breakpoint
CREATE TABLE "ratings" (
	"message_id" text NOT NULL,
	"user_id" text NOT NULL,
	"model_id" text NOT NULL,
	"verdict" text NOT NULL,
	"reason" text,
	"comment" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ratings_message_id_user_id_pk" PRIMARY KEY("message_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "payment_methods" (
	"id" text PRIMARY KEY NOT NULL,
	"gateway" text DEFAULT 'bepaid' NOT NULL,
	"user_id" text,
	"token" text,
	"kind" text NOT NULL,
	"last4" text,
	"brand" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"active_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	"removed_by" text,
	CONSTRAINT "removed_without_token" CHECK ("payment_methods"."removed_at" is null or "payment_methods"."token" is null),
	CONSTRAINT "method_removed" CHECK (("payment_methods"."removed_at" is null) = ("payment_methods"."removed_by" is null))
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"id" text PRIMARY KEY NOT NULL,
	"gateway" text DEFAULT 'bepaid' NOT NULL,
	"order_id" text NOT NULL,
	"kind" text NOT NULL,
	"payment_uid" text NOT NULL,
	"uid" text,
	"state" text DEFAULT 'pending' NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"vat_code" integer NOT NULL,
	"tax_system" integer,
	"subject" text NOT NULL,
	"mode" text NOT NULL,
	"fiscal_storage" text,
	"fiscal_document" text,
	"fiscal_attribute" text,
	"registered_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 1 NOT NULL,
	"check_at" timestamp (3) with time zone,
	"failed_checks" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "receipts_uid_unique" UNIQUE("uid"),
	CONSTRAINT "receipt_state" CHECK ("receipts"."state" in ('pending', 'registered', 'rejected')),
	CONSTRAINT "receipt_kind" CHECK ("receipts"."kind" in ('payment', 'refund')),
	CONSTRAINT "receipt_positive" CHECK ("receipts"."amount" > 0),
	CONSTRAINT "receipt_registered" CHECK (("receipts"."state" = 'registered') = ("receipts"."registered_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"gateway" text DEFAULT 'bepaid' NOT NULL,
	"order_id" text NOT NULL,
	"uid" text,
	"state" text DEFAULT 'requested' NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"cancel_reason" text,
	"check_at" timestamp (3) with time zone,
	"failed_checks" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_uid_unique" UNIQUE("uid"),
	CONSTRAINT "refund_state" CHECK ("refunds"."state" in ('requested', 'pending', 'succeeded', 'canceled')),
	CONSTRAINT "refund_positive" CHECK ("refunds"."amount" > 0),
	CONSTRAINT "refund_ended" CHECK (("refunds"."state" in ('succeeded', 'canceled')) = ("refunds"."ended_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "renewals" (
	"subscription_id" text NOT NULL,
	"cycle" integer NOT NULL,
	"state" text DEFAULT 'charging' NOT NULL,
	"order_id" text NOT NULL,
	"method_id" text,
	"attempts" integer DEFAULT 1 NOT NULL,
	"next_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "renewals_subscription_id_cycle_pk" PRIMARY KEY("subscription_id","cycle"),
	CONSTRAINT "renewals_orderId_unique" UNIQUE("order_id"),
	CONSTRAINT "renewal_state" CHECK ("renewals"."state" in ('charging', 'waiting', 'paid', 'failed')),
	CONSTRAINT "renewal_waits_until" CHECK (("renewals"."state" = 'waiting') = ("renewals"."next_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "shop_refusals" (
	"gateway" text DEFAULT 'bepaid' NOT NULL,
	"what" text NOT NULL,
	"method" text NOT NULL,
	"words" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shop_refusals_gateway_what_method_pk" PRIMARY KEY("gateway","what","method"),
	CONSTRAINT "refusal_what" CHECK ("shop_refusals"."what" in ('pay', 'save'))
);
--> statement-breakpoint
CREATE TABLE "scan_pages" (
	"id" text PRIMARY KEY NOT NULL,
	"file_id" text NOT NULL,
	"user_id" text NOT NULL,
	"number" integer NOT NULL,
	"state" text NOT NULL,
	"instance" text,
	"text" text,
	"error" text,
	"charged" bigint DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"crashes" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "scan_page_working" CHECK (("scan_pages"."state" = 'working') = ("scan_pages"."instance" is not null)),
	CONSTRAINT "scan_page_ready" CHECK (("scan_pages"."state" = 'ready') = ("scan_pages"."text" is not null)),
	CONSTRAINT "scan_page_charged" CHECK ("scan_pages"."charged" = 0 or "scan_pages"."state" = 'ready')
);
--> statement-breakpoint
CREATE TABLE "scans" (
	"file_id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"state" text NOT NULL,
	"model_id" text NOT NULL,
	"page_price" bigint NOT NULL,
	"error_code" text,
	"error_message" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"instance" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "scan_working" CHECK (("scans"."state" = 'working') = ("scans"."instance" is not null))
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event" text NOT NULL,
	"user_id" text,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"props" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "model_calls" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "model_calls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"user_hash" bigint NOT NULL,
	"model_id" text NOT NULL,
	"is_first_answer" boolean DEFAULT false NOT NULL,
	"status" text,
	"failure" text,
	"first_token_ms" integer,
	"total_ms" integer,
	"input_tokens" integer,
	"output_tokens" integer,
	"thought_tokens" integer,
	"cached_tokens" integer,
	"tokens_guessed" boolean,
	"cost" double precision,
	"cost_currency" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stat_active_days" (
	"day" date NOT NULL,
	"user_hash" bigint NOT NULL,
	"messages" integer NOT NULL,
	"charged" bigint NOT NULL,
	CONSTRAINT "stat_active_days_day_user_hash_pk" PRIMARY KEY("day","user_hash")
);
--> statement-breakpoint
CREATE TABLE "stat_days" (
	"day" date NOT NULL,
	"metric" text NOT NULL,
	"key" text NOT NULL,
	"detail" text NOT NULL,
	"value" numeric NOT NULL,
	CONSTRAINT "stat_days_day_metric_key_detail_pk" PRIMARY KEY("day","metric","key","detail")
);
--> statement-breakpoint
CREATE TABLE "stat_money_days" (
	"day" date NOT NULL,
	"user_hash" bigint NOT NULL,
	"currency" text NOT NULL,
	"earned" double precision NOT NULL,
	"cost" double precision NOT NULL,
	CONSTRAINT "stat_money_days_day_user_hash_currency_pk" PRIMARY KEY("day","user_hash","currency")
);
--> statement-breakpoint
CREATE TABLE "stat_notes" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_chunks" (
	"message_id" text NOT NULL,
	"at" integer NOT NULL,
	"upto" integer NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "message_chunks_message_id_at_pk" PRIMARY KEY("message_id","at"),
	CONSTRAINT "chunk_length" CHECK ("message_chunks"."upto" > "message_chunks"."at")
);
--> statement-breakpoint
CREATE TABLE "message_files" (
	"message_id" text NOT NULL,
	"file_id" text NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "message_files_message_id_file_id_pk" PRIMARY KEY("message_id","file_id")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" text PRIMARY KEY NOT NULL,
	"thread_id" text NOT NULL,
	"user_id" text NOT NULL,
	"parent_id" text,
	"role" text NOT NULL,
	"content" text NOT NULL,
	"status" text NOT NULL,
	"model_id" text,
	"input" bigint DEFAULT 0 NOT NULL,
	"output" bigint DEFAULT 0 NOT NULL,
	"charged" bigint DEFAULT 0 NOT NULL,
	"thought" text DEFAULT '' NOT NULL,
	"thought_symbols" bigint DEFAULT 0 NOT NULL,
	"thought_ms" integer,
	"parts" jsonb,
	"citations" jsonb,
	"web" jsonb,
	"image_id" text,
	"error_code" text,
	"error_message" text,
	"run" jsonb,
	"instance" text,
	"stop_requested" boolean DEFAULT false NOT NULL,
	"early_stop" jsonb,
	"masked" jsonb,
	"cached_tokens" integer,
	"copied" boolean DEFAULT false NOT NULL,
	"imported" jsonb,
	"search" "tsvector",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "message_status" CHECK ("messages"."role" = 'assistant' or "messages"."status" = 'complete'),
	CONSTRAINT "message_run" CHECK ("messages"."status" <> 'streaming' or ("messages"."run" is not null and "messages"."instance" is not null))
);
--> statement-breakpoint
CREATE TABLE "shared_messages" (
	"thread_id" text NOT NULL,
	"message_id" text NOT NULL,
	"position" integer NOT NULL,
	"content" text,
	CONSTRAINT "shared_messages_message_id_pk" PRIMARY KEY("message_id")
);
--> statement-breakpoint
CREATE TABLE "thought_chunks" (
	"message_id" text NOT NULL,
	"at" integer NOT NULL,
	"upto" integer NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "thought_chunks_message_id_at_pk" PRIMARY KEY("message_id","at"),
	CONSTRAINT "thought_chunk_length" CHECK ("thought_chunks"."upto" > "thought_chunks"."at")
);
--> statement-breakpoint
CREATE TABLE "thread_summaries" (
	"id" text PRIMARY KEY NOT NULL,
	"thread_id" text NOT NULL,
	"user_id" text NOT NULL,
	"covers_until" text NOT NULL,
	"text" text NOT NULL,
	"messages" integer NOT NULL,
	"covered" bigint NOT NULL,
	"edited" boolean DEFAULT false NOT NULL,
	"stale" boolean DEFAULT false NOT NULL,
	"model_id" text,
	"input" bigint DEFAULT 0 NOT NULL,
	"output" bigint DEFAULT 0 NOT NULL,
	"charged" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "threads" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"title" text NOT NULL,
	"title_source" text DEFAULT 'default' NOT NULL,
	"assistant_id" text,
	"project_id" text,
	"model_id" text,
	"moved_from" text,
	"current_leaf_id" text,
	"version" integer DEFAULT 0 NOT NULL,
	"pinned" boolean DEFAULT false NOT NULL,
	"archived" boolean DEFAULT false NOT NULL,
	"temporary" boolean DEFAULT false NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"share_id" text,
	"shared_leaf_id" text,
	"shared_at" timestamp (3) with time zone,
	"shared_title" text,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('russian', translate(title, 'ёЁ', 'еЕ'))) STORED,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "threads_shareId_unique" UNIQUE("share_id")
);
--> statement-breakpoint
CREATE TABLE "web_passages" (
	"message_id" text NOT NULL,
	"n" integer NOT NULL,
	"url" text NOT NULL,
	"title" text NOT NULL,
	"site" text NOT NULL,
	"date" text,
	"text" text NOT NULL,
	CONSTRAINT "web_passages_message_id_n_pk" PRIMARY KEY("message_id","n")
);
--> statement-breakpoint
CREATE TABLE "transcriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"title" text NOT NULL,
	"file_name" text NOT NULL,
	"mime" text,
	"bytes" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"chunk_bytes" bigint NOT NULL,
	"storage_key" text NOT NULL,
	"duration_ms" integer,
	"language" text,
	"model_id" text,
	"state" text NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"plan" jsonb,
	"transcribed" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"segments" jsonb,
	"speakers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"operation" jsonb,
	"edited" boolean DEFAULT false NOT NULL,
	"original" jsonb,
	"error_code" text,
	"error_message" text,
	"charged" bigint DEFAULT 0 NOT NULL,
	"sent_ms" bigint DEFAULT 0 NOT NULL,
	"paid" bigint DEFAULT 0 NOT NULL,
	"hold" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"crashes" integer DEFAULT 0 NOT NULL,
	"instance" text,
	"search" "tsvector",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transcription_working" CHECK ("transcriptions"."state" <> 'working' or "transcriptions"."instance" is not null),
	CONSTRAINT "transcription_received" CHECK ("transcriptions"."received" >= 0 and "transcriptions"."received" <= "transcriptions"."bytes" and "transcriptions"."chunk_bytes" > 0)
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "program_answers" ADD CONSTRAINT "program_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistants" ADD CONSTRAINT "assistants_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_passages" ADD CONSTRAINT "file_passages_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_words" ADD CONSTRAINT "file_words_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_grace" ADD CONSTRAINT "admin_grace_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_proofs" ADD CONSTRAINT "session_proofs_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_thread_model_models_id_fk" FOREIGN KEY ("thread_model") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "used_codes" ADD CONSTRAINT "used_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "balances" ADD CONSTRAINT "balances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_entry_id_ledger_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."ledger"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_outbox" ADD CONSTRAINT "email_outbox_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embedding_use" ADD CONSTRAINT "embedding_use_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "help_feedback" ADD CONSTRAINT "help_feedback_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_files" ADD CONSTRAINT "import_files_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_items" ADD CONSTRAINT "import_items_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_items" ADD CONSTRAINT "import_items_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_consents" ADD CONSTRAINT "legal_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_consents" ADD CONSTRAINT "legal_consents_kind_version_legal_versions_kind_version_fk" FOREIGN KEY ("kind","version") REFERENCES "public"."legal_versions"("kind","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "minutes" ADD CONSTRAINT "minutes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "minutes" ADD CONSTRAINT "minutes_transcription_id_transcriptions_id_fk" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_fallback_id_models_id_fk" FOREIGN KEY ("fallback_id") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_successor_id_models_id_fk" FOREIGN KEY ("successor_id") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_plan_version_id_plan_versions_id_fk" FOREIGN KEY ("plan_version_id") REFERENCES "public"."plan_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_plan_version_id_plan_versions_id_fk" FOREIGN KEY ("plan_version_id") REFERENCES "public"."plan_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_bundle_id_bundles_id_fk" FOREIGN KEY ("bundle_id") REFERENCES "public"."bundles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_replaces_id_subscriptions_id_fk" FOREIGN KEY ("replaces_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_events" ADD CONSTRAINT "payment_events_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_problems" ADD CONSTRAINT "payment_problems_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_problems" ADD CONSTRAINT "payment_problems_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_problems" ADD CONSTRAINT "payment_problems_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_version_id_plan_versions_id_fk" FOREIGN KEY ("plan_version_id") REFERENCES "public"."plan_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_next_plan_version_id_plan_versions_id_fk" FOREIGN KEY ("next_plan_version_id") REFERENCES "public"."plan_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_versions" ADD CONSTRAINT "plan_versions_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_rejections" ADD CONSTRAINT "gift_rejections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promo_uses" ADD CONSTRAINT "promo_uses_promo_id_promo_codes_id_fk" FOREIGN KEY ("promo_id") REFERENCES "public"."promo_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promo_uses" ADD CONSTRAINT "promo_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_favourites" ADD CONSTRAINT "prompt_favourites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_favourites" ADD CONSTRAINT "prompt_favourites_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_guests" ADD CONSTRAINT "prompt_guests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_guests" ADD CONSTRAINT "prompt_guests_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_seeds" ADD CONSTRAINT "prompt_seeds_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_uses" ADD CONSTRAINT "prompt_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_uses" ADD CONSTRAINT "prompt_uses_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_versions" ADD CONSTRAINT "prompt_versions_prompt_id_prompts_id_fk" FOREIGN KEY ("prompt_id") REFERENCES "public"."prompts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_versions" ADD CONSTRAINT "prompt_versions_changed_by_users_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_changed_by_users_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_method_id_payment_methods_id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."payment_methods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scan_pages" ADD CONSTRAINT "scan_pages_file_id_scans_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."scans"("file_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scan_pages" ADD CONSTRAINT "scan_pages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scans" ADD CONSTRAINT "scans_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scans" ADD CONSTRAINT "scans_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_chunks" ADD CONSTRAINT "message_chunks_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_files" ADD CONSTRAINT "message_files_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_files" ADD CONSTRAINT "message_files_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_parent_id_messages_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."messages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shared_messages" ADD CONSTRAINT "shared_messages_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shared_messages" ADD CONSTRAINT "shared_messages_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thought_chunks" ADD CONSTRAINT "thought_chunks_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_summaries" ADD CONSTRAINT "thread_summaries_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_summaries" ADD CONSTRAINT "thread_summaries_covers_until_messages_id_fk" FOREIGN KEY ("covers_until") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "web_passages" ADD CONSTRAINT "web_passages_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_user_id_created_at_index" ON "api_keys" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "program_answers_user_id_index" ON "program_answers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "program_answers_created_at_index" ON "program_answers" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "assistants_user_id_created_at_index" ON "assistants" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "file_passages_file_id_position_index" ON "file_passages" USING btree ("file_id","position");--> statement-breakpoint
CREATE INDEX "file_passages_assistant_id_index" ON "file_passages" USING btree ("assistant_id");--> statement-breakpoint
CREATE INDEX "file_passages_search" ON "file_passages" USING gin ("search") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "file_passages_embedder_index" ON "file_passages" USING btree ("embedder");--> statement-breakpoint
CREATE INDEX "search_words_created_at_index" ON "search_words" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "audit_log_at_index" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_log_actor_id_id_index" ON "audit_log" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_kind_target_id_index" ON "audit_log" USING btree ("kind","target","id");--> statement-breakpoint
CREATE INDEX "audit_log_action_id_index" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "audit_log_target_index" ON "audit_log" USING btree ("target");--> statement-breakpoint
CREATE INDEX "accounts_user_id_index" ON "accounts" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_provider_id_account_id_index" ON "accounts" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE INDEX "passkeys_user_id_index" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user_id_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_created_at_index" ON "users" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "users_last_seen_at_index" ON "users" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "users_name_index" ON "users" USING btree ("name");--> statement-breakpoint
CREATE INDEX "users_by_number" ON "users" USING btree (hashtextextended("id", 0));--> statement-breakpoint
CREATE INDEX "verifications_identifier_index" ON "verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "verifications_expires_at_index" ON "verifications" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "disputes_user_id_index" ON "disputes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "disputes_status_created_at_index" ON "disputes" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "grants_user_id_created_at_index" ON "grants" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "one_grant_an_order" ON "grants" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "grants_left" ON "grants" USING btree ("user_id") WHERE "grants"."is_left";--> statement-breakpoint
CREATE INDEX "grants_to_expire" ON "grants" USING btree ("expires_at") WHERE "grants"."is_left" and "grants"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "holds_user_id_index" ON "holds" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "holds_running" ON "holds" USING btree ("user_id","kind") WHERE "holds"."state" = 'active';--> statement-breakpoint
CREATE INDEX "holds_by_instance" ON "holds" USING btree ("instance") WHERE "holds"."state" = 'active';--> statement-breakpoint
CREATE INDEX "holds_by_lease" ON "holds" USING btree ("lease_until") WHERE "holds"."state" = 'active';--> statement-breakpoint
CREATE INDEX "ledger_user_id_id_index" ON "ledger" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "ledger_of_api_key" ON "ledger" USING btree ("api_key_id","id") WHERE "ledger"."api_key_id" is not null;--> statement-breakpoint
CREATE INDEX "ledger_created_at_id_index" ON "ledger" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "ledger_rare_kinds" ON "ledger" USING btree ("kind","created_at","id") WHERE "ledger"."kind" <> 'answer';--> statement-breakpoint
CREATE INDEX "email_outbox_user_id_index" ON "email_outbox" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "email_outbox_due" ON "email_outbox" USING btree ("send_at") WHERE "email_outbox"."sent_at" is null and "email_outbox"."failed_at" is null;--> statement-breakpoint
CREATE INDEX "files_user_id_created_at_index" ON "files" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "files_assistant_id_index" ON "files" USING btree ("assistant_id");--> statement-breakpoint
CREATE INDEX "files_by_storage_key" ON "files" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "files_unfinished" ON "files" USING btree ("created_at") WHERE "files"."state" in ('uploaded', 'reading', 'indexing');--> statement-breakpoint
CREATE INDEX "images_newest" ON "images" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "images"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "images_once" ON "images" USING btree ("user_id","batch_id","position");--> statement-breakpoint
CREATE INDEX "images_by_instance" ON "images" USING btree ("instance") WHERE "images"."state" = 'making';--> statement-breakpoint
CREATE INDEX "images_by_storage_key" ON "images" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "images_by_thumb_key" ON "images" USING btree ("thumb_key");--> statement-breakpoint
CREATE INDEX "images_by_whole_key" ON "images" USING btree ("whole_key") WHERE "images"."whole_key" is not null;--> statement-breakpoint
CREATE INDEX "images_versions" ON "images" USING btree ("user_id","root_id") WHERE "images"."root_id" is not null;--> statement-breakpoint
CREATE INDEX "images_created_at_index" ON "images" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "import_items_import_id_id_index" ON "import_items" USING btree ("import_id","id");--> statement-breakpoint
CREATE INDEX "import_items_thread_id_index" ON "import_items" USING btree ("thread_id");--> statement-breakpoint
CREATE UNIQUE INDEX "import_items_once" ON "import_items" USING btree ("user_id","source","source_id") WHERE "import_items"."outcome" = 'added' and "import_items"."thread_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "import_projects_once" ON "import_items" USING btree ("user_id","source","source_id") WHERE "import_items"."outcome" = 'project' and "import_items"."project_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "import_documents_once" ON "import_items" USING btree ("user_id","source","source_project","source_id") WHERE "import_items"."outcome" = 'document' and "import_items"."project_id" is not null;--> statement-breakpoint
CREATE INDEX "imports_user_id_created_at_index" ON "imports" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "imports_unfinished" ON "imports" USING btree ("updated_at") WHERE "imports"."state" in ('uploading', 'queued', 'working', 'found');--> statement-breakpoint
CREATE INDEX "instances_ended" ON "instances" USING btree ("ended_at") WHERE "instances"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "storage_orphans_expected" ON "storage_orphans" USING btree ("key") WHERE "storage_orphans"."expected";--> statement-breakpoint
CREATE UNIQUE INDEX "legal_consents_valid" ON "legal_consents" USING btree ("user_id","kind","version") WHERE "legal_consents"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "legal_consents_user_id_index" ON "legal_consents" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "legal_consents_kind_version_index" ON "legal_consents" USING btree ("kind","version");--> statement-breakpoint
CREATE INDEX "legal_consents_created_at_id_index" ON "legal_consents" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_document_of_a_kind" ON "minutes" USING btree ("transcription_id","kind");--> statement-breakpoint
CREATE INDEX "minutes_user_id_index" ON "minutes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "minutes_unfinished" ON "minutes" USING btree ("updated_at") WHERE "minutes"."state" in ('queued', 'working');--> statement-breakpoint
CREATE INDEX "models_position_index" ON "models" USING btree ("position");--> statement-breakpoint
CREATE INDEX "consents_user_id_index" ON "consents" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "orders_user_id_created_at_index" ON "orders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_subscription_id_index" ON "orders" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "orders_created_at_id_index" ON "orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_status_created_at_index" ON "orders" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "orders_to_check" ON "orders" USING btree ("check_at") WHERE "orders"."check_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_by_day" ON "orders" USING btree (coalesce("paid_at", "created_at"));--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("paid_at") WHERE "orders"."status" = 'paid';--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_plan_order" ON "orders" USING btree ("user_id","plan_version_id",coalesce("promo_id", '')) WHERE "orders"."status" = 'pending' and "orders"."kind" = 'plan';--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_bundle_order" ON "orders" USING btree ("user_id","bundle_id") WHERE "orders"."status" = 'pending' and "orders"."kind" = 'bundle';--> statement-breakpoint
CREATE INDEX "payment_events_received_at_index" ON "payment_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "payment_events_odd" ON "payment_events" USING btree ("received_at") WHERE ("payment_events"."orphan" or "payment_events"."problem" is not null or "payment_events"."processed_at" is null);--> statement-breakpoint
CREATE INDEX "payment_events_refs" ON "payment_events" USING gin ("refs");--> statement-breakpoint
CREATE INDEX "payment_events_payer" ON "payment_events" USING btree ("payer_hash") WHERE "payment_events"."payer_hash" is not null;--> statement-breakpoint
CREATE INDEX "payment_problems_created_at_index" ON "payment_problems" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "payment_problems_order_id_index" ON "payment_problems" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payment_problems_subscription_id_index" ON "payment_problems" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "reversals_parent_uid_index" ON "reversals" USING btree ("parent_uid");--> statement-breakpoint
CREATE INDEX "subscriptions_user_id_index" ON "subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "subscriptions_to_check" ON "subscriptions" USING btree ("check_at") WHERE "subscriptions"."check_at" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_to_remind" ON "subscriptions" USING btree ("renew_at") WHERE "subscriptions"."renew_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "one_live_subscription" ON "subscriptions" USING btree ("user_id") WHERE "subscriptions"."active_to" is not null and "subscriptions"."cancel_requested_at" is null and "subscriptions"."state" not in ('canceled', 'failed', 'error', 'expired', 'unsaved', 'once');--> statement-breakpoint
CREATE INDEX "bundles_position_index" ON "bundles" USING btree ("position");--> statement-breakpoint
CREATE INDEX "plan_versions_plan_id_index" ON "plan_versions" USING btree ("plan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "plan_sells_one_version" ON "plan_versions" USING btree ("plan_id") WHERE "plan_versions"."current";--> statement-breakpoint
CREATE INDEX "plans_position_index" ON "plans" USING btree ("position");--> statement-breakpoint
CREATE INDEX "projects_user_id_created_at_index" ON "projects" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "gift_rejections_open" ON "gift_rejections" USING btree ("created_at") WHERE "gift_rejections"."given_at" is null;--> statement-breakpoint
CREATE INDEX "promo_codes_hint_index" ON "promo_codes" USING btree ("hint");--> statement-breakpoint
CREATE INDEX "promo_codes_created_at_index" ON "promo_codes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "promo_uses_user_id_index" ON "promo_uses" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "promo_uses_order_id_index" ON "promo_uses" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "promo_uses_created_at_index" ON "promo_uses" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "prompt_favourites_prompt_id_index" ON "prompt_favourites" USING btree ("prompt_id");--> statement-breakpoint
CREATE INDEX "prompt_guests_prompt_id_index" ON "prompt_guests" USING btree ("prompt_id");--> statement-breakpoint
CREATE INDEX "prompt_uses_prompt_id_index" ON "prompt_uses" USING btree ("prompt_id");--> statement-breakpoint
CREATE INDEX "prompts_user_id_id_index" ON "prompts" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "prompts_published" ON "prompts" USING btree ("category","position","id") WHERE "prompts"."published" and "prompts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "prompts_trash" ON "prompts" USING btree ("deleted_at") WHERE "prompts"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "prompts_search" ON "prompts" USING gin ("search");--> statement-breakpoint
CREATE INDEX "ratings_user_id_index" ON "ratings" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "ratings_model_id_created_at_index" ON "ratings" USING btree ("model_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "ratings_created_at_index" ON "ratings" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "payment_methods_user_id_index" ON "payment_methods" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_active_method" ON "payment_methods" USING btree ("user_id") WHERE "payment_methods"."active_at" is not null and "payment_methods"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "receipts_order_id_index" ON "receipts" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_receipt" ON "receipts" USING btree ("payment_uid","kind");--> statement-breakpoint
CREATE INDEX "receipts_to_check" ON "receipts" USING btree ("check_at") WHERE "receipts"."check_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_refund" ON "refunds" USING btree ("order_id") WHERE "refunds"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "refunds_to_check" ON "refunds" USING btree ("check_at") WHERE "refunds"."check_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "scan_pages_once" ON "scan_pages" USING btree ("file_id","number");--> statement-breakpoint
CREATE INDEX "scan_pages_user_id_index" ON "scan_pages" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "scans_unfinished" ON "scans" USING btree ("updated_at") WHERE "scans"."state" in ('queued', 'working');--> statement-breakpoint
CREATE INDEX "scans_user_id_index" ON "scans" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "events_event_at_index" ON "events" USING btree ("event","at");--> statement-breakpoint
CREATE INDEX "events_user_id_index" ON "events" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "model_calls_created_at_index" ON "model_calls" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "stat_active_days_user_hash_day_index" ON "stat_active_days" USING btree ("user_hash","day");--> statement-breakpoint
CREATE INDEX "stat_money_days_user_hash_day_index" ON "stat_money_days" USING btree ("user_hash","day");--> statement-breakpoint
CREATE INDEX "message_files_file_id_index" ON "message_files" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "messages_parent_id_index" ON "messages" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "messages_first" ON "messages" USING btree ("thread_id","created_at") WHERE "messages"."parent_id" is null;--> statement-breakpoint
CREATE INDEX "messages_thread_id_created_at_index" ON "messages" USING btree ("thread_id","created_at");--> statement-breakpoint
CREATE INDEX "messages_created_at_index" ON "messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "messages_streaming" ON "messages" USING btree ("user_id") WHERE "messages"."status" = 'streaming';--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin ("search");--> statement-breakpoint
CREATE INDEX "messages_of_user" ON "messages" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "messages_by_instance" ON "messages" USING btree ("instance") WHERE "messages"."status" = 'streaming';--> statement-breakpoint
CREATE INDEX "messages_to_stop" ON "messages" USING btree ("instance") WHERE "messages"."stop_requested";--> statement-breakpoint
CREATE INDEX "shared_messages_thread_id_position_index" ON "shared_messages" USING btree ("thread_id","position");--> statement-breakpoint
CREATE INDEX "thread_summaries_thread_id_index" ON "thread_summaries" USING btree ("thread_id");--> statement-breakpoint
CREATE INDEX "thread_summaries_covers_until_index" ON "thread_summaries" USING btree ("covers_until");--> statement-breakpoint
CREATE INDEX "threads_active" ON "threads" USING btree ("user_id","pinned" DESC NULLS FIRST,"updated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "threads"."deleted_at" is null and not "threads"."archived";--> statement-breakpoint
CREATE INDEX "threads_archived" ON "threads" USING btree ("user_id","updated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "threads"."deleted_at" is null and "threads"."archived";--> statement-breakpoint
CREATE INDEX "threads_trash" ON "threads" USING btree ("user_id","deleted_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "threads"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "threads_user_id_index" ON "threads" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "threads_of_project" ON "threads" USING btree ("project_id") WHERE "threads"."project_id" is not null;--> statement-breakpoint
CREATE INDEX "threads_to_purge" ON "threads" USING btree ("deleted_at") WHERE "threads"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "threads_temporary" ON "threads" USING btree ("updated_at") WHERE "threads"."temporary";--> statement-breakpoint
CREATE INDEX "threads_search" ON "threads" USING gin ("search");--> statement-breakpoint
CREATE INDEX "threads_title_words" ON "threads" USING gin (to_tsvector('russian', translate("title", 'ёЁ!"#$%&''()*+,-./:' || chr(59) || '<=>?@[\]^_`{|}~', 'еЕ                                ')));--> statement-breakpoint
CREATE INDEX "transcriptions_list" ON "transcriptions" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "transcriptions_unfinished" ON "transcriptions" USING btree ("updated_at") WHERE "transcriptions"."state" in ('uploading', 'queued', 'working');--> statement-breakpoint
CREATE INDEX "transcriptions_by_storage_key" ON "transcriptions" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "transcriptions_search" ON "transcriptions" USING gin ("search");