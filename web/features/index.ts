import { type FeatureName, keepScreensOf } from '#contract/screens.ts'
import type { Feature, NavItem } from '#web/lib/feature.ts'
import { paths } from '#web/lib/paths.ts'
import { AudioLines, Bot, CircleQuestionMark, FolderOpen, Image, MessagesSquare, NotebookText } from '#web/ui/icons.ts'

export type FeatureList = {
  [Name in FeatureName]?: {
    /** Its entry in the panel, which is drawn before any manifest is loaded. */
    page?: NavItem
    load: () => Promise<{ feature: Feature<Name> }>
  }
}

/** The features of the page. The panel and the admin panel have their entries in this order. */
export const features: FeatureList = {
  chat: { load: () => import('./chat/feature.ts') },
  threads: {
    page: {
      href: paths.threads(),
      label: 'Чаты',
      Icon: MessagesSquare,
      keywords: 'беседы переписка история архив корзина',
    },
    load: () => import('./threads/feature.ts'),
  },
  projects: {
    page: { href: paths.projects(), label: 'Проекты', Icon: FolderOpen, keywords: 'папки' },
    load: () => import('./projects/feature.ts'),
  },
  assistants: {
    page: { href: paths.assistants(), label: 'Ассистенты', Icon: Bot, keywords: 'помощники боты' },
    load: () => import('./assistants/feature.ts'),
  },
  images: {
    page: { href: paths.images(), label: 'Изображения', Icon: Image, keywords: 'картинки рисунки генерация' },
    load: () => import('./images/feature.ts'),
  },
  transcriptions: {
    page: {
      href: paths.transcribe(),
      label: 'Расшифровка',
      Icon: AudioLines,
      keywords: 'аудио голос запись транскрибация',
    },
    load: () => import('./transcriptions/feature.ts'),
  },
  imports: { load: () => import('./imports/feature.ts') },
  prompts: {
    page: {
      href: paths.prompts(),
      label: 'Промпты',
      Icon: NotebookText,
      otherHref: paths.promptCms(),
      keywords: 'запросы шаблоны',
    },
    load: () => import('./prompts/feature.ts'),
  },
  help: {
    page: { href: paths.help(), label: 'Помощь', Icon: CircleQuestionMark, keywords: 'справка поддержка вопросы' },
    load: () => import('./help/feature.ts'),
  },
  auth: { load: () => import('./auth/feature.ts') },
  statistics: { load: () => import('./statistics/feature.ts') },
  status: { load: () => import('./status/feature.ts') },
  users: { load: () => import('./users/feature.ts') },
  transactions: { load: () => import('./transactions/feature.ts') },
  disputes: { load: () => import('./disputes/feature.ts') },
  plans: { load: () => import('./plans/feature.ts') },
  models: { load: () => import('./models/feature.ts') },
  promocodes: { load: () => import('./promocodes/feature.ts') },
  billing: { load: () => import('./billing/feature.ts') },
  legal: { load: () => import('./legal/feature.ts') },
  audit: { load: () => import('./audit/feature.ts') },
  limits: { load: () => import('./limits/feature.ts') },
}

keepScreensOf(Object.keys(features))
