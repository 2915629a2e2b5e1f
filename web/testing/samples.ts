import type { Assistant } from '#contract/assistants.ts'
import type { SingleSubscription } from '#contract/billing.ts'
import type { Attachment } from '#contract/files.ts'
import type { ImageSkills } from '#contract/image-skills.ts'
import type { Image } from '#contract/images.ts'
import type { AdminModel, Model } from '#contract/models.ts'
import type { PageState } from '#contract/page.ts'
import type { Plan } from '#contract/plans.ts'
import type { InputParts } from '#contract/threads.ts'
import type { Transaction } from '#contract/transactions.ts'
import { DEFAULT_NAME_PROMPT, type Profile } from '#contract/users.ts'

/** Whole objects of the contract for tests, with what a test cares about changed. */

const DAY = '2026-01-01T00:00:00.000Z'

export function aBalance(change: Partial<SingleSubscription> = {}): SingleSubscription {
  return {
    availableTokens: 10_000,
    active: true,
    recurrent: false,
    endReason: null,
    price: null,
    held: 0,
    capacity: 10_000,
    plan: null,
    periodEnd: null,
    nextCharge: null,
    isDeclined: false,
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
    imageSkills: null,
    minutePrice: null,
    speakers: null,
    maxSpeakers: null,
    pagePrice: null,
    contextSymbols: 100_000,
    maxOutputSymbols: null,
    vision: false,
    hidden: false,
    canUseWithAssistant: true,
    position: 0,
    ...change,
  }
}

/** «Кисть» draws for 500 symbols and changes images for 700. */
export function aChangingModel(skills: Partial<ImageSkills> = {}) {
  const imageSkills: ImageSkills = {
    changes: true,
    area: true,
    examples: 2,
    sizes: ['1024x1024', 'auto'],
    transparent: false,
    partial: false,
    form: 'images',
    changePrice: 700,
    ...skills,
  }
  return { ...aModel({ id: 'brush', name: 'Кисть', kind: 'image' }), imagePrice: 500, imageSkills }
}

export function anAdminModel(change: Partial<AdminModel> = {}): AdminModel {
  return {
    ...aModel(),
    hasOwnSkills: false,
    provider: 'openai',
    providerModel: 'gpt-4.1-mini',
    fallbackId: null,
    retiresOn: null,
    successorId: null,
    costInput: null,
    costOutput: null,
    costCached: null,
    costCurrency: null,
    ...change,
  }
}

export function anAssistant(change: Partial<Assistant> = {}): Assistant {
  return {
    id: 'a1',
    name: 'Ассистент',
    avatar: '🤖',
    starters: [],
    symbols: { instructions: 0, passages: 0, searchWords: 0 },
    searchWords: true,
    description: '',
    instructions: '',
    modelId: null,
    Model: null,
    files: [],
    createdAt: DAY,
    updatedAt: DAY,
    ...change,
  }
}

export function aPlan(change: Partial<Plan> = {}): Plan {
  return {
    id: 'start',
    name: 'Старт',
    description: '',
    symbols: 500_000,
    price: 990,
    currency: 'BYN',
    intervalDays: 30,
    active: true,
    position: 0,
    ...change,
  }
}

/** The charge of an answer. */
export function aTransaction(change: Partial<Transaction> = {}): Transaction {
  return {
    id: '1',
    userId: 'u1',
    kind: 'answer',
    symbols: -112,
    balanceAfter: 10,
    modelId: 'm1',
    threadId: 't1',
    messageId: 'a1',
    input: 100,
    output: 5,
    inputRate: 1,
    outputRate: 2.5,
    apiKeyId: null,
    thought: null,
    thoughtRate: null,
    cached: null,
    cachedRate: null,
    amount: null,
    currency: null,
    note: null,
    subject: null,
    inputParts: null,
    searchPrice: 0,
    disputed: false,
    dispute: null,
    createdAt: DAY,
    ...change,
  }
}

export function inputParts(change: Partial<InputParts> = {}): InputParts {
  return {
    question: 0,
    history: 0,
    historyMessages: 0,
    cutMessages: 0,
    instructions: 0,
    files: 0,
    passages: 0,
    personal: 0,
    ...change,
  }
}

/** One that is being drawn. */
export function anImage(change: Partial<Image> = {}): Image {
  return {
    id: 'i1',
    prompt: 'Кот',
    modelId: 'brush',
    origin: 'drawn',
    parentId: null,
    hasArea: false,
    exampleIds: [],
    hasWhole: false,
    transparent: false,
    size: 'auto',
    status: 'making',
    url: '',
    thumbnailUrl: '',
    width: 1024,
    height: 1024,
    bytes: null,
    charged: 0,
    error: null,
    threadId: null,
    messageId: null,
    createdAt: DAY,
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
