import { ChartColumn, type LucideIcon } from 'lucide-react'
import type { ScreenName } from '#contract/screens.ts'

interface Coming {
  Icon: LucideIcon
  title: string
  /** What one will do here, in one sentence. */
  text: string
}

export const comingTexts: Partial<Record<ScreenName, Coming>> = {
  'admin-statistic': {
    Icon: ChartColumn,
    title: 'Статистика',
    text: 'Здесь будут графики и цифры за выбранное время.',
  },
}
