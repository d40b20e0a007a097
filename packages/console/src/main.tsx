import { render } from 'preact';
import { App } from './app/app.tsx';
import { startRouter } from './app/router.ts';
import { showTheme } from './browser/theme.ts';

showTheme();
startRouter();
const root = document.getElementById('app');
if (root) render(<App />, root);
