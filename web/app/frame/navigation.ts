import { paths } from '#web/lib/paths.ts'
import {
  AudioLines,
  Bot,
  CircleQuestionMark,
  type IconComponent,
  Image,
  MessagesSquare,
  NotebookText,
  SlidersHorizontal,
} from '#web/ui/icons.ts'

export interface NavItem {
  href: string
  label: string
  Icon: IconComponent
  /** Another address that belongs to this item. */
  otherHref?: string
}

export const mainNavigation: NavItem[] = [
  { href: paths.threads(), label: 'Чаты', Icon: MessagesSquare },
  { href: paths.assistants(), label: 'Ассистенты', Icon: Bot },
  { href: paths.images(), label: 'Изображения', Icon: Image },
  { href: paths.transcribe(), label: 'Расшифровка', Icon: AudioLines },
  { href: paths.prompts(), label: 'Промпты', Icon: NotebookText, otherHref: paths.promptCms() },
  { href: paths.help(), label: 'Помощь', Icon: CircleQuestionMark },
]

/** The one way from the chats to the admin screens, which have a navigation of their own. */
export const adminEntry: NavItem = { href: paths.adminStatistic(), label: 'Управление', Icon: SlidersHorizontal }
