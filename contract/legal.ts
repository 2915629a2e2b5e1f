import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const documentKinds = ['offer', 'personal-data', 'privacy', 'requisites'] as const
const DocumentKind = z.enum(documentKinds)
export type DocumentKind = z.infer<typeof DocumentKind>

/** What must be published before anything is sold. */
export const documentsForSale = ['offer', 'personal-data', 'requisites'] as const

/** The documents that people agree to, each on its own. */
export const consentKinds = ['offer', 'personal-data'] as const
const ConsentKind = z.enum(consentKinds)
export type ConsentKind = z.infer<typeof ConsentKind>

export const needsConsent = (kind: DocumentKind): kind is ConsentKind => consentKinds.some((one) => one === kind)
export const isDocumentKind = (name: string): name is DocumentKind => documentKinds.some((kind) => kind === name)

export const documentTitles: Record<DocumentKind, string> = {
  offer: 'Оферта',
  'personal-data': 'Согласие на обработку персональных данных',
  privacy: 'Политика конфиденциальности',
  requisites: 'Реквизиты продавца',
}

const Moment = z.iso.datetime()
const Version = z.int().check(z.gte(1))

export const LegalDocument = z.object({
  kind: DocumentKind,
  version: Version,
  text: z.string(),
  /** SHA-256 of the text in UTF-8. */
  hash: z.string(),
  publishedAt: Moment,
  currentVersion: Version,
  /** The other kinds that are published. */
  others: z.array(DocumentKind),
})
export type LegalDocument = z.infer<typeof LegalDocument>

/** A document that the user has to agree to before going on. */
export const NeededConsent = z.object({
  kind: ConsentKind,
  version: Version,
  /** An earlier version was agreed to: the document has changed since. */
  agreedBefore: z.boolean(),
})
export type NeededConsent = z.infer<typeof NeededConsent>

export const OwnConsent = z.object({
  id: z.string(),
  kind: ConsentKind,
  version: Version,
  hash: z.string(),
  at: Moment,
  withdrawnAt: z.nullable(Moment),
})
export type OwnConsent = z.infer<typeof OwnConsent>

/** `unused`: no plan with renewals was paid for by it. */
const RenewalConsentState = z.enum(['active', 'ended', 'unused'])
export type RenewalConsentState = z.infer<typeof RenewalConsentState>

export const OwnRenewalConsent = z.object({
  id: z.string(),
  plan: z.string(),
  textVersion: z.string(),
  at: Moment,
  state: RenewalConsentState,
})
export type OwnRenewalConsent = z.infer<typeof OwnRenewalConsent>

const OwnConsents = z.object({ documents: z.array(OwnConsent), renewals: z.array(OwnRenewalConsent) })
export type OwnConsents = z.infer<typeof OwnConsents>

const GivenConsent = z.strictObject({ kind: ConsentKind, version: Version })

export const legalApi = {
  read: endpoint('GET', '/api/legal/:kind', {
    who: 'anyone',
    summary: 'Опубликованный документ продавца: действующая версия или названная в version',
    query: z.object({ version: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000))) }),
    returns: LegalDocument,
  }),
  needed: endpoint('GET', '/api/consents/needed', {
    who: 'user',
    summary: 'С какими документами ещё нужно согласиться',
    returns: z.array(NeededConsent),
  }),
  give: endpoint('POST', '/api/consents', {
    who: 'user',
    consent: 'unneeded',
    summary: 'Согласиться с действующей версией документа; повтор ничего не меняет',
    body: z.strictObject({ documents: z.array(GivenConsent).check(z.minLength(1), z.maxLength(consentKinds.length)) }),
    returns: z.array(NeededConsent),
  }),
  mine: endpoint('GET', '/api/consents', {
    who: 'user',
    summary: 'Свои согласия: с документами и на продление тарифа, новые сверху',
    returns: OwnConsents,
  }),
  withdraw: endpoint('POST', '/api/consents/withdraw', {
    who: 'user',
    consent: 'unneeded',
    summary: 'Отозвать своё согласие с документом; запись о нём остаётся',
    body: z.strictObject({ kind: ConsentKind }),
    returns: OwnConsents,
  }),
}

const DocumentSummary = z.object({
  kind: DocumentKind,
  /** Null before the first publication. */
  current: z.nullable(z.object({ version: Version, publishedAt: Moment })),
  /** How many people have agreed and are not asked again; null for a document that needs no consent. */
  agreed: z.nullable(z.int()),
})
export type DocumentSummary = z.infer<typeof DocumentSummary>

export const DocumentVersion = z.object({
  version: Version,
  hash: z.string(),
  publishedAt: Moment,
  /** Null for a deleted account. */
  author: z.nullable(z.string()),
  /** People were asked to agree again. */
  asksConsent: z.boolean(),
  /** How many people agreed to this very version. */
  agreed: z.int(),
})
export type DocumentVersion = z.infer<typeof DocumentVersion>

export const EditedDocument = z.object({
  kind: DocumentKind,
  /** The text in force, or a sample before the first publication. */
  text: z.string(),
  isSample: z.boolean(),
  /** Newest first. */
  versions: z.array(DocumentVersion),
})
export type EditedDocument = z.infer<typeof EditedDocument>

const MAX_DOCUMENT = 200_000

export const Publication = z.strictObject({
  text: z.string().check(
    z.refine((text) => text.trim() !== '', 'Напишите текст документа.'),
    z.maxLength(MAX_DOCUMENT, `Не больше ${MAX_DOCUMENT} знаков.`),
  ),
  asksConsent: z.boolean(),
  /** The version that was edited; 0 for the first one. Two people who publish at once do not overwrite each other. */
  base: z.int().check(z.gte(0)),
})
export type Publication = z.infer<typeof Publication>

export const legalAdminApi = {
  list: endpoint('GET', '/api/documents', {
    who: 'admin',
    summary: 'Документы продавца: что опубликовано и сколько человек согласились',
    returns: z.array(DocumentSummary),
  }),
  csv: endpoint('GET', '/api/documents/consents/csv', {
    who: 'admin',
    proof: 'fresh',
    effects: true,
    summary: 'Кто, когда и с какой версией согласился: файл CSV',
    answers: 'file',
  }),
  get: endpoint('GET', '/api/documents/:kind', {
    who: 'admin',
    summary: 'Документ для правки и его версии',
    returns: EditedDocument,
  }),
  publish: endpoint('POST', '/api/documents/:kind', {
    who: 'admin',
    summary: 'Опубликовать новую версию; прежние остаются. Если документ уже изменил кто-то другой — 409',
    body: Publication,
    returns: EditedDocument,
  }),
}
