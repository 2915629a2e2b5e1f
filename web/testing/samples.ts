import type { SingleSubscription } from '#contract/billing.ts'
import type { Attachment } from '#contract/files.ts'
import type { Model } from '#contract/models.ts'
import type { PageState } from '#contract/page.ts'
import { DEFAULT_NAME_PROMPT, type Profile } from '#contract/users.ts'

/** Whole objects of the contract for tests, with what a test cares about changed. */

const DAY = '2026-01-01T00:00:00.000Z'

export function aBalance(change: Partial<SingleSubscription> = {}): SingleSubscription {
  return {
    availableTokens: 10_000,
    active: true,
    recurrent: false,
    held: 0,
    capacity: 10_000,
    plan: null,
    periodEnd: null,
    nextCharge: null,
    card: null,
    nextPlan: null,
    lastPlanId: null,
    dailyCap: null,
    spentToday: 0,
    ...change,
  }
}

export function aProfile(balance: Partial<SingleSubscription> = {}, change: Partial<Profile> = {}): Profile {
  return {
    id: 'anna',
    email: 'anna@example.com',
    name: 'Анна',
    image: null,
    emailVerified: true,
    role: 'user',
    createdAt: DAY,
    Settings: {
      threadModel: null,
      threadHistory: true,
      threadHistoryLimit: 10,
      threadGptNameEnabled: true,
      threadGptNamePrompt: DEFAULT_NAME_PROMPT,
      threadSummaries: 'offer',
      personalEnabled: true,
      personalAbout: '',
      personalStyle: '',
      maskPersonal: false,
      maskedNames: [],
    },
    SingleSubscription: aBalance(balance),
    giftRejection: null,
    ...change,
  }
}

export function aModel(change: Partial<Model> = {}): Model {
  return {
    id: 'm1',
    name: 'Умная',
    description: '',
    kind: 'text',
    inputRate: 1,
    outputRate: 2,
    thoughtRate: 0,
    cachedRate: null,
    thinks: false,
    country: null,
    imagePrice: null,
    minutePrice: null,
    contextSymbols: 100_000,
    maxOutputSymbols: null,
    vision: false,
    hidden: false,
    canUseWithAssistant: true,
    position: 0,
    ...change,
  }
}

export function anAttachment(change: Partial<Attachment> = {}): Attachment {
  return {
    id: 'file-1',
    kind: 'document',
    name: 'отчёт.txt',
    mime: 'text/plain',
    bytes: 2048,
    state: 'ready',
    progress: 100,
    error: null,
    symbols: 1200,
    createdAt: DAY,
    ...change,
  }
}

export function aPage(userId: string): PageState {
  return {
    config: {
      appName: 'Символ',
      buildId: 'test',
      socialProviders: [],
      supportUrl: null,
      mailboxUrl: null,
      openHelp: [],
      analytics: { url: null, yandexMetrikaId: null },
    },
    user: { id: userId, email: `${userId}@example.com`, name: 'Анна', image: null, role: 'user', impersonated: false },
  }
}
