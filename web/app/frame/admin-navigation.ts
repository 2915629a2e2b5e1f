import { paths } from '#web/lib/paths.ts'
import {
  Activity,
  ChartColumn,
  Cpu,
  FileCheck,
  Gauge,
  Layers,
  Package,
  ReceiptText,
  Scale,
  ScrollText,
  TicketPercent,
  Users,
} from '#web/ui/icons.ts'
import type { NavItem } from './navigation.ts'

export const adminNavigation: NavItem[] = [
  { href: paths.adminStatistic(), label: 'Статистика', Icon: ChartColumn },
  { href: paths.adminStatus(), label: 'Состояние', Icon: Activity },
  { href: paths.adminUsers(), label: 'Пользователи', Icon: Users },
  { href: paths.adminTransactions(), label: 'Транзакции', Icon: ReceiptText },
  { href: paths.adminDisputes(), label: 'Оспоренное', Icon: Scale },
  { href: paths.adminPlans(), label: 'Тарифы', Icon: Layers },
  { href: paths.adminModels(), label: 'Модели', Icon: Cpu },
  { href: paths.adminPromoCodes(), label: 'Промокоды', Icon: TicketPercent },
  { href: paths.adminTokenBundles(), label: 'Пакеты символов', Icon: Package },
  { href: paths.adminDocuments(), label: 'Документы', Icon: FileCheck },
  { href: paths.adminAudit(), label: 'Журнал', Icon: ScrollText },
  { href: paths.adminLimits(), label: 'Ограничения', Icon: Gauge },
]
