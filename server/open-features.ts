import type { Deps } from './app.ts'
import { type AuthDeps, createAuth } from './auth/auth.ts'
import { factorChecks } from './auth/second-factor/proof.ts'
import type { Database } from './db/client.ts'
import { stopAnswersOf } from './features/answers/ask.ts'
import type { ReadFiles } from './features/answers/context.ts'
import { openAnswers } from './features/answers/deps.ts'
import { auditFactorChange } from './features/audit/sign-in-actions.ts'
import { normaliseEmail, storeIdentityHashes } from './features/billing/identity-hashes.ts'
import type { GiftDomains } from './features/billing/start-gift.ts'
import { giveStartGift } from './features/billing/start-gift.ts'
import type { FileDeps } from './features/files/deps.ts'
import { filesForModel } from './features/files/files.ts'
import { createImageQueue } from './features/images/image-queue.ts'
import { openKnowledge } from './features/knowledge/deps.ts'
import { findPassages } from './features/knowledge/retrieve.ts'
import type { PaymentDeps, Payments } from './features/payments/deps.ts'
import { forgetPayer } from './features/payments/event-store.ts'
import { syncIfRenewalDue } from './features/payments/gateway-sync.ts'
import { markFilesForDeletion } from './features/storage/cleaning.ts'
import { callerForAuto } from './features/summaries/change.ts'
import { makeWhenDue } from './features/summaries/make.ts'
import { nameThread } from './features/threads/title.ts'
import type { TranscriptionDeps } from './features/transcriptions/deps.ts'
import { openTranscriptions } from './features/transcriptions/queue.ts'
import { ensureProfile } from './features/users/users.ts'
import { noWeb, type Web } from './features/web-search/deps.ts'
import type { Limits } from './http/limits.ts'
import type { Instance } from './instances/instance.ts'
import type { Log } from './lib/log.ts'
import type { Providers } from './llm/providers.ts'
import type { Bus } from './realtime/bus.ts'
import type { Hub } from './realtime/hub.ts'

/** Set by openFeatures for authentication; a test may replace single ones. */
type AuthHooks =
  | 'db'
  | 'limits'
  | 'limitEmail'
  | 'log'
  | 'onSignIn'
  | 'onSessionEnded'
  | 'onUserDeletion'
  | 'onBan'
  | 'onIdentityChanged'
  | 'onFactorChange'
  | 'onBackground'

/** What the features need from outside. The server opens it by its settings, tests with fakes. */
export interface FeatureDeps {
  database: Pick<Database, 'db' | 'execute'>
  log: Log
  bus: Bus
  hub: Pick<Hub, 'publish' | 'changes' | 'endSession' | 'onSessionEnd'>
  instance: Pick<Instance, 'id'>
  limits: Limits
  providers: Providers
  files: FileDeps
  payments: Omit<Payments, 'log' | 'onBackground'>
  auth: Omit<AuthDeps, AuthHooks> & Partial<Pick<AuthDeps, AuthHooks>>
  transcriptions: Pick<TranscriptionDeps, 'ffmpeg'> & Partial<TranscriptionDeps>
  startSymbols: number
  giftDomains: GiftDomains
  defaultModel: string
  embeddingFreeSymbols: number
  maxRunningAnswers?: number
  /** Search engine and pages of the web; by default pages only. */
  web?: Web
}

type FeatureParts =
  | 'auth'
  | 'factors'
  | 'db'
  | 'log'
  | 'limits'
  | 'publish'
  | 'changes'
  | 'onSessionEnd'
  | 'identityKey'
  | 'providers'
  | 'answers'
  | 'files'
  | 'instance'
  | 'knowledge'
  | 'imageQueue'
  | 'transcriptions'
  | 'payments'

export interface Features extends Pick<Deps, FeatureParts> {
  payments: PaymentDeps
  /** Stops accepting work and lets running work finish for `drainMs`. */
  close: (drainMs: number) => Promise<void>
  /** Waits for emails and gateway requests that run in the background. */
  finishBackground: () => Promise<void>
}

/** Connects the features with each other, the same way in the server and in tests. */
export async function openFeatures(deps: FeatureDeps): Promise<Features> {
  const { database, log, bus, hub, instance, limits, providers, files, defaultModel, maxRunningAnswers } = deps
  const { db } = database
  const { publish, changes, onSessionEnd } = hub
  const { identityKey } = deps.payments
  const background = trackBackground()
  const readFiles: ReadFiles = (ctx, ids) => filesForModel(ctx, files.storage, ids)
  const payments = { ...deps.payments, db, publish, log, onBackground: background.add }
  const knowledge = await openKnowledge(database, providers, log, deps.embeddingFreeSymbols)
  const answers = openAnswers({
    ...{ db, log, instance, bus, publish, providers, limits, storage: files.storage },
    web: { ...(deps.web ?? noWeb), pool: files.pool, log },
    ...(maxRunningAnswers !== undefined && { maxRunning: maxRunningAnswers }),
    afterAnswer: async (answer) => {
      if (answer.followUp.title) await nameThread({ db, publish, log, providers, defaultModel }, answer)
      const caller = answer.followUp.summary ? await callerForAuto(db, publish, answer) : null
      if (caller) await makeWhenDue(caller, { providers, instance, readFiles }, answer.threadId)
    },
    onOutOfSymbols: (userId) => syncIfRenewalDue(payments, userId),
    readFiles,
    findPassages: (ctx, question) => findPassages(ctx.db, knowledge, question),
  })
  const imageQueue = createImageQueue({ db, log, publish, providers, storage: files.storage, instance })
  const transcriptions = openTranscriptions({
    ...{ db, instance, log, publish, providers, storage: files.storage, incoming: files.incoming },
    ...deps.transcriptions,
  })
  const { adminFactor } = deps.auth
  return {
    ...{ db, log, limits, publish, changes, onSessionEnd, identityKey, providers, files, instance, payments },
    ...{ knowledge, answers, imageQueue, transcriptions },
    auth: createAuth({ ...authHooks(deps), onBackground: background.add, ...deps.auth }),
    factors: factorChecks({ db, ...(adminFactor && { adminFactor }) }),
    close: async (drainMs) => {
      await Promise.all([answers.close(drainMs), imageQueue.close(drainMs), transcriptions.close()])
    },
    finishBackground: background.finish,
  }
}

/** What the features do when users sign in, change their data or delete their account. */
function authHooks(deps: FeatureDeps): Pick<AuthDeps, Exclude<AuthHooks, 'onBackground'>> {
  const { limits, hub, log } = deps
  const { db } = deps.database
  const { identityKey } = deps.payments
  const startGift = { db, limits, identityKey, symbols: deps.startSymbols, domains: deps.giftDomains }
  return {
    db,
    log,
    limits,
    limitEmail: (to) => limits('emails', normaliseEmail(to)),
    onSignIn: async ({ userId, ip, isImpersonated }) => {
      await ensureProfile(db, userId)
      if (!isImpersonated) await giveStartGift(startGift, userId, ip)
    },
    onSessionEnded: hub.endSession,
    onBan: (userId) => stopAnswersOf(deps, userId),
    onUserDeletion: async ({ id, email }) => {
      await stopAnswersOf(deps, id)
      await storeIdentityHashes(db, identityKey, [id])
      await forgetPayer({ db, identityKey }, email)
      await markFilesForDeletion(db, id)
    },
    onIdentityChanged: (userId) => storeIdentityHashes(db, identityKey, [userId]),
    onFactorChange: (change) => auditFactorChange(db, change),
  }
}

function trackBackground() {
  const running = new Set<Promise<void>>()
  return {
    add: (work: Promise<void>) => {
      running.add(work)
      void work.finally(() => running.delete(work))
    },
    finish: async () => void (await Promise.allSettled(running)),
  }
}
