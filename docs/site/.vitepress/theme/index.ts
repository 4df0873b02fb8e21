import theme from 'vitepress/theme-without-fonts';
import './house.css';

export default theme;
