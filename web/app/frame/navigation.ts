import {
  AudioLines,
  Bot,
  ChartColumn,
  CircleQuestionMark,
  Cpu,
  Gauge,
  Image,
  Layers,
  type LucideIcon,
  MessagesSquare,
  NotebookText,
  Package,
  ReceiptText,
  Scale,
  ScrollText,
  TicketPercent,
  Users,
} from 'lucide-react'
import { paths } from '#web/lib/paths.ts'

export interface NavItem {
  href: string
  label: string
  Icon: LucideIcon
}

export const mainNavigation: NavItem[] = [
  { href: paths.threads(), label: 'Чаты', Icon: MessagesSquare },
  { href: paths.assistants(), label: 'Ассистенты', Icon: Bot },
  { href: paths.images(), label: 'Изображения', Icon: Image },
  { href: paths.transcribe(), label: 'Расшифровка', Icon: AudioLines },
  { href: paths.prompts(), label: 'Промпты', Icon: NotebookText },
  { href: paths.help(), label: 'Помощь', Icon: CircleQuestionMark },
]

export const adminNavigation: NavItem[] = [
  { href: paths.adminStatistic(), label: 'Статистика', Icon: ChartColumn },
  { href: paths.adminUsers(), label: 'Пользователи', Icon: Users },
  { href: paths.adminTransactions(), label: 'Транзакции', Icon: ReceiptText },
  { href: paths.adminDisputes(), label: 'Оспоренное', Icon: Scale },
  { href: paths.adminPlans(), label: 'Тарифы', Icon: Layers },
  { href: paths.adminModels(), label: 'Модели', Icon: Cpu },
  { href: paths.adminPromoCodes(), label: 'Промокоды', Icon: TicketPercent },
  { href: paths.adminTokenBundles(), label: 'Пакеты символов', Icon: Package },
  { href: paths.adminAudit(), label: 'Журнал', Icon: ScrollText },
  { href: paths.adminLimits(), label: 'Ограничения', Icon: Gauge },
]
