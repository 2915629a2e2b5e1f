import { notify } from './notify.ts'

export function showUpdate(): void {
  notify.info({
    id: 'new-build',
    title: 'Вышла новая версия',
    description: 'Обновите страницу, когда будет удобно.',
    action: { label: 'Обновить', onClick: () => location.reload() },
    isPersistent: true,
  })
}
