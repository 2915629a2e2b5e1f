export const images = ['png', 'jpg', 'jpeg', 'webp', 'gif']
export const documents = ['pdf', 'docx', 'xlsx', 'csv', 'txt', 'md', 'html', 'htm']
export const ACCEPT = [...images, ...documents].map((ending) => `.${ending}`).join(',')
