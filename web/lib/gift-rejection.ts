import type { GiftRejection } from '#contract/users.ts'

/** Why there are no symbols of the start, and what can be done about it. */
export const giftRejectionLabel: Record<GiftRejection, string> = {
  repeated: 'Стартовые символы уже были выданы на этот адрес. Они даются человеку один раз.',
  disposable:
    'На временные почтовые адреса стартовые символы не даются. Смените почту на постоянную и войдите ещё раз: они начислятся.',
  network:
    'Сегодня из вашей сети стартовые символы уже получили несколько человек. Войдите завтра ещё раз: они начислятся.',
}
