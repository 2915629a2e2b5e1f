import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { legalConsents, legalVersions } from './schema.ts'

/**
 * The published documents that a user has no valid consent to: none was given, it was withdrawn, or a later version
 * asked for a new one.
 */
export const selectNeededConsents = (userId: SQLWrapper | string): SQL => sql`
  with documents as (
    select kind, max(version) as version, max(version) filter (where asks_consent) as asked_from
    from ${legalVersions} group by kind
  ), own as (
    select kind, version from ${legalConsents} where user_id = ${userId} and withdrawn_at is null
  )
  select d.kind, d.version, exists (select 1 from own where own.kind = d.kind) as "agreedBefore"
  from documents d
  where d.asked_from is not null
    and not exists (select 1 from own where own.kind = d.kind and own.version >= d.asked_from)`
