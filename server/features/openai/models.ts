import { and, asc, desc, eq, inArray, or, sql } from 'drizzle-orm'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import type { ProgramModel } from '#contract/openai.ts'
import type { Db } from '#server/db/client.ts'
import { models } from '#server/db/schema.ts'
import { preparedOnce } from '#server/db/statement.ts'
import type { UsedKey } from '../api-keys/find-key.ts'
import type { ModelRow } from '../models/models.ts'
import { badField, modelNotFound, OpenAiError } from './errors.ts'

type Kind = ProgramModel['kind']
const kinds: Kind[] = ['text', 'image', 'transcription', 'embedding']

const isForPrograms = and(eq(models.hidden, false), inArray(models.kind, kinds))
const isAllowed = ({ models: allowed }: UsedKey, { id }: ModelRow) => allowed === null || allowed.includes(id)

export async function listProgramModels(db: Db, key: UsedKey): Promise<ProgramModel[]> {
  const rows = await db.select().from(models).where(isForPrograms).orderBy(asc(models.position), asc(models.id))
  return rows.filter((row) => isAllowed(key, row)).map(toProgramModel)
}

/** The model by its id, or by the provider's name of it, as other services call it. */
export async function findModel(db: Db, key: UsedKey, name: string): Promise<ModelRow> {
  const [model] = await selectModel(db).execute({ name })
  if (!model) throw modelNotFound()
  if (!isAllowed(key, model))
    throw new OpenAiError('Этому ключу API такая модель не разрешена. Измените список моделей ключа в профиле.', {
      status: 403,
      code: 'model_not_allowed',
      param: 'model',
    })
  return model
}

const selectModel = preparedOnce((db) => {
  const isNamed = eq(models.id, sql.placeholder('name'))
  return db
    .select()
    .from(models)
    .where(and(isForPrograms, or(isNamed, eq(models.providerModel, sql.placeholder('name')))))
    .orderBy(desc(isNamed), asc(models.position), asc(models.id))
    .limit(1)
    .prepare('program_model')
})

const kindSentences: Record<Kind, string> = {
  text: 'Эта модель не отвечает на сообщения. Выберите текстовую.',
  image: 'Эта модель не рисует. Выберите модель изображений.',
  transcription: 'Эта модель не расшифровывает записи. Выберите модель расшифровки.',
  embedding: 'Эта модель не строит векторы. Выберите модель эмбеддингов.',
}

export async function findModelOf(db: Db, key: UsedKey, name: string, kind: Kind): Promise<ModelRow> {
  const model = await findModel(db, key, name)
  if (model.kind !== kind) throw badField('model', kindSentences[kind], 'unsupported_value')
  return model
}

export function toProgramModel(row: ModelRow): ProgramModel {
  const tokens = (symbols: number | null) => (symbols === null ? null : Math.floor(symbols / SYMBOLS_PER_TOKEN))
  const hasText = row.kind === 'text' || row.kind === 'embedding'
  return {
    id: row.id,
    object: 'model',
    created: Math.floor(row.createdAt.getTime() / 1000),
    owned_by: 'symbol',
    name: row.name,
    kind: row.kind as Kind,
    context_length: tokens(row.contextSymbols),
    max_output_tokens: tokens(row.maxOutputSymbols),
    vision: row.vision,
    shutdown_date: row.retiresOn,
    symbols: {
      input: hasText ? row.inputRate : null,
      output: row.kind === 'text' ? row.outputRate : null,
      image: row.imagePrice,
      minute: row.minutePrice,
    },
  }
}
