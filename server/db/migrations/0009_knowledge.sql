DROP INDEX "file_chunks_search";--> statement-breakpoint
ALTER TABLE "file_chunks" ALTER COLUMN "search" DROP EXPRESSION;--> statement-breakpoint
ALTER TABLE "file_chunks" ADD COLUMN "lead" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "file_chunks" ADD COLUMN "embedder" text;--> statement-breakpoint
CREATE INDEX "file_chunks_embedder_index" ON "file_chunks" USING btree ("embedder");--> statement-breakpoint
CREATE INDEX "file_chunks_search" ON "file_chunks" USING gin ("search") WITH (fastupdate=false);