import { boolean, doublePrecision, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'

export const models = pgTable(
  'models',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    description: text().notNull().default(''),
    kind: text({ enum: ['text', 'image', 'transcription', 'embedding'] })
      .notNull()
      .default('text'),
    provider: text().notNull(),
    providerModel: text().notNull(),
    inputRate: doublePrecision().notNull().default(1),
    outputRate: doublePrecision().notNull().default(1),
    hidden: boolean().notNull().default(false),
    canUseWithAssistant: boolean().notNull().default(false),
    position: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [index().on(t.position)],
)
